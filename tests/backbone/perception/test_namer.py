import torch
from torch import Tensor

from stamina_video.backbone.perception.colour import SURVEYED
from stamina_video.backbone.perception.namer import FEATURES, Namer, Painter

COLUMNS = ("cup", "bottle", "box", "vase", "something", "nothing")
VOCABULARY = ("bottle", "cup", "vase", "zebra")
KINDS = ("box", "cup", "vase")
THINGS = 5


def namer(
    columns: tuple[str, ...] = COLUMNS,
    vocabulary: tuple[str, ...] = VOCABULARY,
    kinds: tuple[str, ...] = KINDS,
) -> Namer:
    torch.manual_seed(0)
    return Namer(columns, vocabulary, kinds)


def heard() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Class scores, log probabilities of kinds, logits of being a thing, crowding."""
    dice = torch.Generator().manual_seed(1)
    return (
        torch.rand(THINGS, len(VOCABULARY), generator=dice),
        torch.randn(THINGS, len(KINDS), generator=dice).log_softmax(-1),
        torch.randn(THINGS, generator=dice),
        torch.rand(THINGS, 2, generator=dice),
    )


def test_every_name_of_every_thing_has_a_logit() -> None:
    one, told = namer(), heard()
    assert one(*told).shape == (THINGS, len(COLUMNS))
    features_KNF = one.features(*told)
    assert features_KNF.shape == (THINGS, len(COLUMNS), FEATURES)
    assert features_KNF.isfinite().all()


def test_features_mean_the_same_for_every_name() -> None:
    scores_KV, kinds_KO, *rest = heard()
    classes, taught, listed = [2, 0, 3, 1], [1, 2, 0], [3, 1, 0, 2, 4, 5]
    turned = namer(
        tuple(COLUMNS[place] for place in listed),
        tuple(VOCABULARY[place] for place in classes),
        tuple(KINDS[place] for place in taught),
    )
    torch.testing.assert_close(
        turned(scores_KV[:, classes], kinds_KO[:, taught], *rest),
        namer()(scores_KV, kinds_KO, *rest)[:, listed],
    )


def test_two_names_that_say_the_same_are_judged_alike() -> None:
    logits_KN = namer()(
        torch.full((1, len(VOCABULARY)), 0.3),
        torch.full((1, len(KINDS)), -1.1),
        torch.zeros(1),
        torch.zeros(1, 2),
    )
    cup, vase = COLUMNS.index("cup"), COLUMNS.index("vase")  # both are classes and kinds
    torch.testing.assert_close(logits_KN[:, cup], logits_KN[:, vase])


def test_something_and_nothing_are_told_apart_at_the_end_of_the_list() -> None:
    is_something_N, is_nothing_N = namer().features(*heard())[0, :, -2:].T
    assert is_something_N.tolist() == [0, 0, 0, 0, 1, 0]
    assert is_nothing_N.tolist() == [0, 0, 0, 0, 0, 1]


def test_a_kind_as_if_untaught_is_not_heard() -> None:
    scores_KV, kinds_KO, *rest = heard()
    is_taught_KO = torch.ones_like(kinds_KO, dtype=torch.bool)
    is_taught_KO[:, KINDS.index("cup")] = False
    louder_KO = kinds_KO.clone()
    louder_KO[:, KINDS.index("cup")] += 3
    quiet, loud = (namer()(scores_KV, said, *rest, is_taught_KO) for said in (kinds_KO, louder_KO))
    torch.testing.assert_close(quiet, loud)
    assert not torch.allclose(namer()(scores_KV, kinds_KO, *rest), namer()(scores_KV, louder_KO, *rest))


def test_a_kind_as_if_untaught_is_as_one_that_never_was() -> None:
    scores_KV, kinds_KO, *rest = heard()
    is_taught_KO = torch.ones_like(kinds_KO, dtype=torch.bool)
    is_taught_KO[:, KINDS.index("vase")] = False
    fewer = namer(kinds=KINDS[:2])
    torch.testing.assert_close(
        namer()(scores_KV, kinds_KO, *rest, is_taught_KO),
        fewer(scores_KV, kinds_KO[:, :2].log_softmax(-1), *rest),
    )


def test_where_all_kinds_are_taught_it_need_not_be_said() -> None:
    scores_KV, kinds_KO, *rest = heard()
    every_KO = torch.ones_like(kinds_KO, dtype=torch.bool)
    torch.testing.assert_close(
        namer()(scores_KV, kinds_KO, *rest, every_KO), namer()(scores_KV, kinds_KO, *rest)
    )


def test_how_loud_a_class_usually_is_makes_a_difference() -> None:
    one, told = namer(), heard()
    before = one(*told)
    one.usual_V[VOCABULARY.index("bottle")] = -3.0
    changed_N = (one(*told) != before).any(0)
    assert changed_N[COLUMNS.index("bottle")]


def test_how_crowded_a_box_is_makes_a_difference() -> None:
    *told, crowding_K2 = heard()
    assert not torch.allclose(namer()(*told, crowding_K2), namer()(*told, 0 * crowding_K2))


def test_a_look_without_things_has_no_names() -> None:
    nothing = (torch.zeros(0, len(VOCABULARY)), torch.zeros(0, len(KINDS)), torch.zeros(0), torch.zeros(0, 2))
    assert namer()(*nothing).shape == (0, len(COLUMNS))


def test_a_painter_reads_a_point_of_colour_space() -> None:
    painter = Painter(SURVEYED, len(KINDS))
    paints_K3 = painter(torch.rand(THINGS, SURVEYED), heard()[1])
    assert paints_K3.shape == (THINGS, 3)
    assert paints_K3.isfinite().all()
