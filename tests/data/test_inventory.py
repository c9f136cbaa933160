from stamina_video.data.compiler import compile_queries
from stamina_video.data.cycles import sped
from stamina_video.data.inventory import Units, inventory
from stamina_video.data.query import query_table
from tests.data.making import cycling, make


def test_units_are_kept_apart() -> None:
    squats = cycling([(1.0, 2.0)], 4.0)
    taken = inventory(
        query_table(compile_queries([make(), make("b", parent="hall"), squats, sped(squats, 2.0)]))
    )
    assert taken.total == Units(queries=18, groups=8, parents=2, media=2)
    assert taken.by_operator["O2-Gain"] == Units(queries=4, groups=4, parents=2, media=2)
    assert taken.by_operator["E1-Action"] == Units(0, 0, 0, 0)
    assert next(iter(taken.by_operator)) == "O1-Snap"
    assert sum(units.queries for units in taken.by_source.values()) == 18
