import numpy as np
import pytest

from stamina_video.data.world.paints import SURFACES, paint
from stamina_video.data.world.shade import TEXTURE


@pytest.mark.parametrize("surface", SURFACES)
def test_every_surface_is_painted_alike_from_its_seed_and_never_in_one_colour(surface: str) -> None:
    first = paint(surface, (0.5, 0.4, 0.3), 11)
    np.testing.assert_array_equal(first, paint(surface, (0.5, 0.4, 0.3), 11))
    assert (first != paint(surface, (0.5, 0.4, 0.3), 12)).any()
    finest = first[: TEXTURE * TEXTURE].astype(float)
    assert finest.std(0).max() > 2


def test_a_texture_is_followed_by_its_halvings() -> None:
    painted = paint("wood", (0.5, 0.4, 0.3), 1).astype(float)
    assert len(painted) == sum((TEXTURE >> level) ** 2 for level in range(7))
    finest = painted[: TEXTURE * TEXTURE].reshape(TEXTURE, TEXTURE, 3)
    halved = finest.reshape(TEXTURE // 2, 2, TEXTURE // 2, 2, 3).mean((1, 3))
    second = painted[TEXTURE * TEXTURE :][: (TEXTURE // 2) ** 2].reshape(halved.shape)
    assert np.abs(halved - second).max() <= 1


def test_views_stand_on_their_feet() -> None:
    """A texture begins at a wall's foot: the sky is above."""
    size = TEXTURE * TEXTURE
    streets = [
        paint("street", (0.5, 0.5, 0.5), seed)[:size].reshape(TEXTURE, TEXTURE, 3) for seed in range(6)
    ]
    foot, top = (
        np.mean([street[rows].mean() for street in streets]) for rows in (slice(0, 32), slice(-32, None))
    )
    assert top > foot
