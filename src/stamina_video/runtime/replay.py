"""Full access: each query starts from nothing and replays its causal prefix, all in reach of attention."""

from collections.abc import Iterable

from stamina_video.runtime.model import Model
from stamina_video.runtime.session import Session
from stamina_video.semantics import Answer, InvalidInput, Observation, Target
from stamina_video.video import Gap


def replay(
    model: Model,
    target: Target,
    prefix: Iterable[Observation | Gap],
    at: float,
    since: float | None = None,
) -> Answer:
    """The answer at `at` from this prefix alone; both ends of an interval come from the one replay."""
    with Session(model.full_access, [target]) as session:
        for item in prefix:
            if isinstance(item, Observation) and item.time > at:
                raise InvalidInput(f"expected observations no later than {at} s, got one at {item.time} s")
            session.observe(item)
        return session.explain(target.description, at, since)
