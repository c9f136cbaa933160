import torch
from torch import Tensor

from stamina_video.backbone.perception.closeup import PATCH
from stamina_video.backbone.perception.reader import Reader

THINGS, CHANNELS, SEEN, WIDTH, KINDS = 5, 6, 8, 10, 3


def reader() -> Reader:
    torch.manual_seed(0)
    return Reader(CHANNELS, SEEN, WIDTH, KINDS).eval()


def closeups(things: int = THINGS) -> tuple[Tensor, Tensor]:
    """Patches, and what the spotter saw of each."""
    dice = torch.Generator().manual_seed(1)
    patches_KPPC = torch.randn(THINGS, PATCH, PATCH, CHANNELS, generator=dice)
    return patches_KPPC[:things], torch.randn(THINGS, SEEN, generator=dice)[:things]


def test_everything_has_features_kinds_and_may_be_nothing() -> None:
    features_KE = reader()(*closeups())
    assert features_KE.shape == (THINGS, WIDTH)
    kinds_KO, there_K = reader().said(features_KE)
    assert kinds_KO.shape == (THINGS, KINDS)
    assert there_K.shape == (THINGS,)
    torch.testing.assert_close(kinds_KO.exp().sum(1), torch.ones(THINGS))
    assert all(one.isfinite().all() for one in (features_KE, kinds_KO, there_K))


def test_who_reads_forgets_nothing_and_who_learns_some() -> None:
    one = reader()
    assert torch.equal(one(*closeups()), one(*closeups()))
    one.train()
    assert not torch.equal(one(*closeups()), one(*closeups()))


def test_everything_is_read_by_itself() -> None:
    torch.testing.assert_close(reader()(*closeups(2)), reader()(*closeups())[:2])


def test_channels_are_read_beside_how_they_usually_are() -> None:
    patches_KPPC, seen_KX = closeups()
    measured = reader()
    measured.middle_C.copy_(torch.linspace(-3, 3, CHANNELS))
    measured.spread_C.copy_(torch.linspace(0.5, 4, CHANNELS))
    loud_KPPC = patches_KPPC * measured.spread_C + measured.middle_C
    torch.testing.assert_close(measured(loud_KPPC, seen_KX), reader()(patches_KPPC, seen_KX))
    assert not torch.allclose(reader()(loud_KPPC, seen_KX), reader()(patches_KPPC, seen_KX), atol=1e-2)
    assert {"middle_C", "spread_C"} <= set(measured.state_dict())  # measured once, and kept


def test_features_follow_the_close_up_and_where_in_it_something_is() -> None:
    patches_KPPC, seen_KX = closeups()
    features_KE = reader()(patches_KPPC, seen_KX)
    for other_KPPC in (patches_KPPC.flip(3), patches_KPPC.flip(1), patches_KPPC.flip(2)):
        assert not torch.allclose(reader()(other_KPPC, seen_KX), features_KE, atol=1e-3)


def test_features_follow_what_the_spotter_saw_but_not_how_loud_it_was() -> None:
    patches_KPPC, seen_KX = closeups()
    features_KE = reader()(patches_KPPC, seen_KX)
    torch.testing.assert_close(reader()(patches_KPPC, 7 * seen_KX), features_KE, atol=1e-4, rtol=1e-4)
    assert not torch.allclose(reader()(patches_KPPC, seen_KX.flip(1)), features_KE, atol=1e-2)
