import math
from dataclasses import replace

import torch
from torch import Tensor

from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.pooling import Pooling

CONFIG = HeadsConfig(width=6, target_width=5, hidden=8, attention=7, queries=9)


GATHERING = replace(CONFIG, gathered=3, gathered_before=1)


def pooling(seed: int = 0, config: HeadsConfig = GATHERING) -> Pooling:
    torch.manual_seed(seed)
    return Pooling(config).double()


def inputs(tokens: int = 4) -> tuple[Tensor, Tensor]:
    return 3 * torch.randn(tokens, 6, dtype=torch.float64), torch.randn(5, dtype=torch.float64)


def test_the_paper_has_32_queries_of_width_256() -> None:
    assert Pooling(HeadsConfig(width=12, target_width=5)).queries_QD.shape == (32, 256)


def test_candidates_equal_the_formula_one_number_at_a_time() -> None:
    module = pooling().requires_grad_(False)
    tokens, target = inputs()
    found = module(tokens, target)
    for place, query in enumerate(found.queries):
        asked = module.queries_QD[query] + module.from_target.weight @ target
        raw = [float(asked @ (module.from_visual.weight @ token)) / math.sqrt(7) for token in tokens]
        total = sum(map(math.exp, raw))
        alphas = [math.exp(score) / total for score in raw]
        feature = [
            sum(a * float(token[i]) for a, token in zip(alphas, tokens, strict=True)) for i in range(6)
        ]
        logit = sum(float(w) * x for w, x in zip(module.visibility.weight[0], feature, strict=True))
        visibility = 1 / (1 + math.exp(-logit - float(module.visibility.bias)))
        torch.testing.assert_close(found.attention_CJ[place], torch.tensor(alphas, dtype=torch.float64))
        torch.testing.assert_close(found.features_CW[place], torch.tensor(feature, dtype=torch.float64))
        assert math.isclose(float(found.visibilities_C[place]), visibility)


def test_survivors_stand_in_order_and_the_visible_ones_first() -> None:
    found = pooling()(*inputs())
    order = [(-v, q) for v, q in zip(found.visibilities_C.tolist(), found.queries, strict=True)]
    assert order == sorted(order)
    assert found.visible_C.tolist() == [v > 0.5 for v in found.visibilities_C.tolist()]
    assert found.visible_C.tolist() == [place < found.visible for place in range(len(found.queries))]


def test_one_visual_vector_gives_one_candidate() -> None:
    """Every query pools the same vector: duplicates fall before the visibility threshold is asked."""
    module = pooling()
    with torch.no_grad():
        module.visibility.bias.fill_(100.0)
    assert module(*inputs(tokens=1)).queries == (0,)


def test_visibility_of_exactly_one_half_is_not_visible() -> None:
    module = pooling()
    with torch.no_grad():
        module.visibility.weight.zero_()
        module.visibility.bias.zero_()
    found = module(*inputs())
    assert found.visibilities_C.tolist() == [0.5] * len(found.queries)
    assert found.visible == 0
    assert found.queries == tuple(sorted(found.queries)), "equal visibility falls back to query order"


def test_no_visual_vectors_no_candidates() -> None:
    tokens, target = inputs(tokens=0)
    found = pooling()(tokens, target)
    assert found.features_CW.shape == (0, 6)
    assert (found.queries, found.visible) == ((), 0)


def test_gradients_reach_kept_features_and_all_parameters() -> None:
    module = pooling()
    tokens, target = inputs()
    tokens.requires_grad_()
    found = module(tokens, target)
    (found.features_CW.sum() + found.visibilities_C.sum()).backward()
    kept = set(found.queries)
    assert 1 < len(kept) < CONFIG.queries, "the case needs survivors and duplicates"
    gradient = module.queries_QD.grad
    assert gradient is not None
    assert {row for row in range(CONFIG.queries) if gradient[row].abs().sum() > 0} == kept
    for name, parameter in module.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name
    assert tokens.grad is not None
    assert not found.attention_CJ.requires_grad


COLUMNS = slice(2, 5)


def gathered_one_by_one(module: Pooling, tokens: Tensor, target: Tensor) -> list[list[float]]:
    """Every query pools its candidate, survivor or not: how visible it is, then its columns."""
    rows = []
    for query in module.queries_QD:
        asked = query + module.from_target.weight @ target
        raw = [float(asked @ (module.from_visual.weight @ token)) / math.sqrt(7) for token in tokens]
        alphas = [math.exp(score) / sum(map(math.exp, raw)) for score in raw]
        feature = sum(alpha * token for alpha, token in zip(alphas, tokens, strict=True))
        visibility = float(torch.sigmoid(module.visibility.weight[0] @ feature + module.visibility.bias))
        rows.append([visibility, *(float(feature[column]) for column in range(2, 5))])
    return rows


def test_what_is_gathered_equals_a_loop_over_queries_and_tokens() -> None:
    module = pooling().requires_grad_(False)
    tokens, target = inputs()
    expected_QX = torch.tensor(gathered_one_by_one(module, tokens, target), dtype=torch.float64)
    gathered_QX = module.gather(tokens, target)
    assert gathered_QX.shape == (CONFIG.queries, 1 + 3)
    torch.testing.assert_close(gathered_QX, expected_QX)


def test_what_is_gathered_of_survivors_is_what_candidates_say_of_them() -> None:
    module = pooling()
    tokens, target = inputs()
    found, gathered_QX = module(tokens, target), module.gather(tokens, target)
    assert 1 < len(found.queries) < CONFIG.queries, "duplicates are gathered all the same"
    for place, query in enumerate(found.queries):
        torch.testing.assert_close(gathered_QX[query, 0], found.visibilities_C[place].detach())
        torch.testing.assert_close(gathered_QX[query, 1:], found.features_CW[place, COLUMNS].detach())


def test_moments_are_gathered_together_as_they_are_one_by_one() -> None:
    module = pooling()
    tokens_TJW = 3 * torch.randn(5, 4, 6, dtype=torch.float64)
    _, target = inputs()
    together = module.gather(tokens_TJW, target)
    assert together.shape == (5, CONFIG.queries, 4)
    for tokens, alone in zip(tokens_TJW, together, strict=True):
        torch.testing.assert_close(module.gather(tokens, target), alone)


def test_a_candidate_that_nobody_can_see_is_gathered_as_such() -> None:
    module = pooling()
    tokens, target = inputs(tokens=1)
    for bias, visible in ((-100.0, 0.0), (100.0, 1.0)):
        with torch.no_grad():
            module.visibility.bias.fill_(bias)
        gathered_QX = module.gather(tokens, target)
        torch.testing.assert_close(gathered_QX[:, 0], torch.full((9,), visible, dtype=torch.float64))
        torch.testing.assert_close(gathered_QX[:, 1:], tokens[:, COLUMNS].expand(9, -1))


def test_gathering_teaches_nobody() -> None:
    tokens, target = inputs()
    assert not pooling().gather(tokens.requires_grad_(), target).requires_grad


def test_who_has_just_gone_is_gathered_as_if_seen() -> None:
    """The second column says for how long nobody saw it: a fifth is forgiven, more is not."""
    forgiving = pooling(config=replace(GATHERING, missed=1, forgiven=0.2))
    strict = pooling()
    tokens, target = inputs()
    for missed, told in ((0.0, 0.0), (0.2, 0.0), (0.5, 0.3)):
        tokens[1, 1] = missed
        tokens[[0, 2, 3], 1] = 0
        as_told = tokens.clone()
        as_told[1, 1] = told
        torch.testing.assert_close(forgiving.gather(tokens, target), strict.gather(as_told, target))
        assert tokens[1, 1] == missed, "what is looked at stays as it was"
    tokens[1, 1] = 0.2
    assert not torch.allclose(forgiving.gather(tokens, target), strict.gather(tokens, target))
    for found, other in zip(forgiving(tokens, target).queries, strict(tokens, target).queries, strict=True):
        assert found == other, "who is visible does not depend on it"
