"""Accepted changes with their evidence. Subjects and edges depend on content alone, so evidence ids do."""

from typing import Any

from stamina_video.semantics import Change, Kind
from stamina_video.transitions.candidates import Candidates
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.identity import DEFER, NEW
from stamina_video.transitions.outcome import EventOutcome, ObjectOutcome
from stamina_video.transitions.registry import Registry
from stamina_video.transitions.visibility import Turnover

ENTER, LEAVE = "hidden->visible", "visible->hidden"


def object_changes(
    outcome: ObjectOutcome, moved: Turnover, before: Registry, config: HeadsConfig
) -> tuple[Change, ...]:
    """Exits, entries, new identities, then doubts; entries less exits is the change of the visible count."""
    identities = outcome.resolution.identities
    exits = [
        Change(
            Kind.EXIT,
            -1,
            f"identity:{identity}",
            LEAVE,
            {"identity": identity, "seen": before.seen(identity)},
        )
        for identity in moved.left
    ]
    exits += [Change(Kind.EXIT, -1, f"unresolved:{place}", LEAVE) for place in range(moved.unresolved_left)]
    deferred = [candidate for candidate, identity in enumerate(identities) if identity is None]
    # The least visible of the unresolved are taken as the ones that came.
    newcomers = deferred[len(deferred) - moved.unresolved_entered :]
    came = [candidate for candidate, identity in enumerate(identities) if identity in moved.entered]
    born = [place for place in range(len(identities)) if outcome.resolution.is_new(place)]
    looks = _looks(outcome.candidates, {*came, *newcomers, *born})
    probabilities = outcome.log_probs_CL.detach().exp().tolist()
    entries = [
        _entry(outcome, candidate, before, probabilities[candidate], looks[candidate])
        for candidate in sorted(came + newcomers)
    ]
    births = [
        Change(
            Kind.IDENTITY,
            1,
            f"identity:{identities[candidate]}",
            "NEW",
            {
                "identity": identities[candidate],
                "new": _short(probabilities[candidate][NEW]),
                **looks[candidate],
            },
        )
        for candidate in born
    ]
    doubts = [*_misses(outcome, born, config), *_crowd(outcome.candidates, config)]
    return (*exits, *entries, *births, *doubts)


def event_changes(outcome: EventOutcome) -> tuple[Change, ...]:
    """Completions in slot order, then one record of the candidates that found no slot."""
    changes = []
    for done in outcome.completions:
        candidate = outcome.seating.candidates[done.slot]
        assert candidate is not None, "an absent slot only holds"
        evidence = {"slot": done.slot, "edge": done.edge, "probability": _short(done.probability)}
        if outcome.candidates is not None:
            evidence |= _looks(outcome.candidates, {candidate})[candidate]
        changes.append(Change(Kind.EVENT, 1, f"slot:{done.slot}", done.edge, evidence))
    if outcome.seating.overflow:
        assert outcome.candidates is not None, "only entity targets overflow"
        queries = [outcome.candidates.queries[candidate] for candidate in outcome.seating.overflow]
        evidence = {"candidates": len(queries), "queries": queries, "slots": len(outcome.seating.candidates)}
        evidence["missed"] = len(queries)  # no slot completes twice in one observation
        changes.append(Change(Kind.OVERFLOW, 0, "slots", "overflow", evidence))
    return tuple(changes)


def _misses(outcome: ObjectOutcome, born: list[int], config: HeadsConfig) -> list[Change]:
    """New identities whose full shortlist left out someone just as near as a duplicate would be."""
    beyond_C = outcome.shortlist.beyond_C
    if beyond_C is None:
        return []
    nearest = beyond_C.tolist()
    return [
        Change(
            Kind.RETRIEVAL_MISS,
            0,
            f"identity:{identity}",
            "retrieval",
            # Whoever was left out may be this one: then it was counted before, and nothing was lost.
            {"identity": identity, "cosine": _short(nearest[candidate]), "missed": 0, "doubled": 1},
        )
        for candidate in born
        if (identity := outcome.resolution.identities[candidate]) is not None
        and nearest[candidate] >= config.duplicate_cosine
    ]


def _crowd(candidates: Candidates, config: HeadsConfig) -> list[Change]:
    """Every query found somebody else: there may be more than there are queries."""
    if candidates.visible < config.queries:
        return []
    return [Change(Kind.OVERFLOW, 0, "candidates", "overflow", {"candidates": candidates.visible})]


def _entry(
    outcome: ObjectOutcome,
    candidate: int,
    before: Registry,
    probabilities: list[float],
    looks: dict[str, Any],
) -> Change:
    identity = outcome.resolution.identities[candidate]
    evidence = {"identity": identity, **looks}
    if identity is None:
        evidence["defer"] = _short(probabilities[DEFER])
        return Change(Kind.ENTRY, 1, f"candidate:{outcome.candidates.queries[candidate]}", ENTER, evidence)
    if not outcome.resolution.is_new(candidate):
        column = outcome.shortlist.column_of(candidate, identity)
        assert column is not None, "a match comes from the shortlist"
        evidence["match"] = _short(probabilities[column])
        evidence["cosine"] = _short(outcome.shortlist.cosines_CK[candidate].tolist()[column])
        evidence |= {"accepted": before.accepted(identity), "seen": before.seen(identity)}
    return Change(Kind.ENTRY, 1, f"identity:{identity}", ENTER, evidence)


def _looks(candidates: Candidates, asked: set[int]) -> dict[int, dict[str, Any]]:
    """Which query found each, how visible it is, and the visual vectors it was pooled from."""
    visibilities = candidates.visibilities_C.tolist()
    return {
        candidate: {
            "query": candidates.queries[candidate],
            "visibility": _short(visibilities[candidate]),
            "tokens": candidates.looks_at(candidate),
        }
        for candidate in asked
    }


def _short(value: float) -> float:
    return round(value, 4)
