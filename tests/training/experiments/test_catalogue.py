from collections import Counter
from pathlib import Path

from stamina_video.semantics import Target
from stamina_video.training.experiments.catalogue import SOURCES, trials
from stamina_video.training.footage import Aim, Footage
from stamina_video.training.takes import takes


def some_footage(family: str, number: int) -> Footage:
    take = takes(family, [number])[0]
    operators = ("E1-Action", "E1-Transit", "E2-Episode", "E2-Periodic", "E2-Episode")
    aims = tuple(
        Aim(Target(f"thing {place}", operator), (place,), (1.0,) * place)
        for place, operator in enumerate(operators)
    )
    return Footage(take, aims, ((),) * len(take.times), Path("none"))


def test_ten_parents_of_every_source_are_the_papers_collection() -> None:
    found = [
        trial
        for source in SOURCES
        for number in range(10)
        for trial in trials(some_footage(source.family, number), source)
    ]
    assert len({trial.name for trial in found}) == len(found) == 160
    assert len({trial.stretch.parent for trial in found}) == 40
    assert set(Counter(trial.aim.target.operator for trial in found).values()) == {40}
    assert set(Counter(trial.stratum for trial in found).values()) == {80}


def test_of_two_targets_the_one_with_more_completions_is_chosen() -> None:
    source = next(source for source in SOURCES if source.family == "tour")
    chosen = {trial.aim.target.description for trial in trials(some_footage("tour", 0), source)}
    assert chosen == {"thing 1", "thing 4"}
