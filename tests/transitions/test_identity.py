import itertools

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import gelu

from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.identity import DEFER, NEW, Association, resolve

CONFIG = HeadsConfig(width=6, target_width=5, hidden=7)


def association() -> Association:
    torch.manual_seed(0)
    return Association(CONFIG).double()


def test_scores_equal_the_formula_class_by_class() -> None:
    module = association()
    features, target = torch.randn(3, 6, dtype=torch.float64), torch.randn(5, dtype=torch.float64)
    prototypes = torch.randn(3, 4, 6, dtype=torch.float64)
    found = module(features, target, prototypes)
    for place in range(3):
        scores = []
        for q in [*prototypes[place], *module.classes_2W]:
            inner = module.from_candidate.weight @ features[place] + module.from_target.weight @ target
            inner = inner + module.from_prototype.weight @ q + module.from_candidate.bias
            scores.append(module.score.weight[0] @ gelu(inner))
        torch.testing.assert_close(found[place], torch.stack(scores).log_softmax(0))


def test_an_empty_shortlist_leaves_new_and_defer() -> None:
    found = association()(
        torch.randn(3, 6).double(), torch.randn(5).double(), torch.zeros(3, 0, 6, dtype=torch.float64)
    )
    torch.testing.assert_close(found.exp().sum(-1), torch.ones(3, dtype=torch.float64))
    assert found.shape == (3, 2)


def test_gradients_stop_at_prototypes_and_reach_new_and_defer() -> None:
    module = association()
    features = torch.randn(2, 6, dtype=torch.float64, requires_grad=True)
    prototypes = torch.randn(2, 3, 6, dtype=torch.float64, requires_grad=True)
    log_probs = module(features, torch.randn(5, dtype=torch.float64), prototypes)
    log_probs[:, 0].sum().backward()
    assert prototypes.grad is None
    assert features.grad is not None
    for name, parameter in module.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name
    classes = module.classes_2W.grad
    assert classes is not None
    assert (classes.abs().sum(1) > 0).all()


Verdict = int | str


@st.composite
def shortlists(draw: st.DrawFn) -> tuple[list[list[int]], list[list[float]]]:
    """Few identities and coarse scores: many assignments tie exactly."""
    known = draw(st.integers(0, 4))
    width = min(known, draw(st.integers(1, 3)))
    candidates = draw(st.integers(1, 4))
    identities = st.permutations(range(known)).map(lambda order: list(order)[:width])
    score = st.integers(-4, -1).map(lambda step: step * 0.75)  # sums are exact, so ties are real
    return (
        [draw(identities) for _ in range(candidates)],
        [draw(st.lists(score, min_size=width + 2, max_size=width + 2)) for _ in range(candidates)],
    )


def best_verdicts(ids: list[list[int]], log_probs: list[list[float]]) -> list[Verdict]:
    """DEFER, then the oldest identity, then NEW, in candidate order, among the greatest sums."""

    def preference(verdict: Verdict) -> tuple[int, int]:
        return (0, 0) if verdict == "DEFER" else (2, 0) if verdict == "NEW" else (1, int(verdict))

    options: list[dict[Verdict, float]] = []
    for row, scores in zip(ids, log_probs, strict=True):
        named: dict[Verdict, float] = dict(zip(row, scores, strict=False))
        named |= {"NEW": scores[NEW], "DEFER": scores[DEFER]}
        options.append(named)
    legal = []
    for choice in itertools.product(*options):
        matches = [verdict for verdict in choice if isinstance(verdict, int)]
        if len(set(matches)) == len(matches):
            total = sum(option[verdict] for option, verdict in zip(options, choice, strict=True))
            legal.append((-total, [preference(verdict) for verdict in choice], choice))
    return list(min(legal)[2])


@settings(deadline=None)
@given(shortlists())
def test_ties_prefer_defer_then_the_oldest_then_new(case: tuple[list[list[int]], list[list[float]]]) -> None:
    ids, log_probs = case
    known = 100  # as if many identities were known: new ids must continue from there
    found = resolve(
        torch.tensor(ids, dtype=torch.int64).reshape(len(ids), -1), torch.tensor(log_probs).double(), known
    )
    new = itertools.count(known)
    expected = [
        None if verdict == "DEFER" else next(new) if verdict == "NEW" else verdict
        for verdict in best_verdicts(ids, log_probs)
    ]
    assert list(found.identities) == expected
    assert [found.is_new(place) for place in range(len(ids))] == [
        verdict is not None and int(verdict) >= known for verdict in expected
    ]


def test_each_identity_is_matched_once() -> None:
    ids = torch.tensor([[0, 1], [0, 1]])
    log_probs = torch.tensor([[-0.1, -3.0, -5.0, -5.0], [-0.2, -0.9, -5.0, -5.0]]).double()
    assert resolve(ids, log_probs, 2).identities == (0, 1)


def test_nobody_visible_resolves_to_nobody() -> None:
    assert resolve(torch.zeros(0, 8, dtype=torch.int64), torch.zeros(0, 10), 8).identities == ()
