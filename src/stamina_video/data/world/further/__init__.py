"""How the further kinds are built: what only the assorted split shows, at the size of a table top."""

from stamina_video.data.world.further.food import banana, cake, carrot, egg_cup, orange, pizza, wine_glass
from stamina_video.data.world.further.goods import (
    bucket,
    clock,
    cone,
    desk_lamp,
    hydrant,
    laptop,
    phone,
    suitcase,
    umbrella,
)
from stamina_video.data.world.further.toys import bell, frisbee, party_hat, spinning_top, teddy, toy_block

__all__ = [
    "banana",
    "bell",
    "bucket",
    "cake",
    "carrot",
    "clock",
    "cone",
    "desk_lamp",
    "egg_cup",
    "frisbee",
    "hydrant",
    "laptop",
    "orange",
    "party_hat",
    "phone",
    "pizza",
    "spinning_top",
    "suitcase",
    "teddy",
    "toy_block",
    "umbrella",
    "wine_glass",
]
