"""Every thing has its own seat, whatever else is in the picture."""

import torch

from stamina_video.backbone.perception import PerceptLayout, TokenKind
from stamina_video.backbone.seats import LENGTH, seats

LAYOUT = PerceptLayout(detections=3, grid=2, regions=2)


def seats_of(*kinds: TokenKind) -> torch.Tensor:
    kind_BTN = torch.tensor([[list(map(int, kinds))]])
    return seats(kind_BTN, torch.ones_like(kind_BTN, dtype=torch.bool), LAYOUT)[0, 0]


def test_detections_regions_and_the_whole_image_sit_apart() -> None:
    detection, region = TokenKind.DETECTION, TokenKind.REGION
    seated = seats_of(detection, detection, TokenKind.GRID, TokenKind.GLOBAL, region, region)
    assert seated.argmax(-1)[[0, 1, 3, 4, 5]].tolist() == [0, 1, 5, 3, 4]
    assert seated.sum(-1).tolist() == [LENGTH, LENGTH, 0, LENGTH, LENGTH, LENGTH]


def test_a_region_keeps_its_seat_when_detections_come_and_go() -> None:
    alone, crowded = seats_of(TokenKind.REGION), seats_of(TokenKind.DETECTION, TokenKind.REGION)
    assert torch.equal(alone[0], crowded[1])


def test_padding_sits_nowhere() -> None:
    kind_BTN = torch.zeros(1, 1, 3, dtype=torch.long)  # padding carries the number of a detection
    present_BTN = torch.tensor([[[True, False, False]]])
    assert seats(kind_BTN, present_BTN, LAYOUT).sum() == LENGTH
