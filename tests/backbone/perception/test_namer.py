import torch
from torch import Tensor

from stamina_video.backbone.perception.colour import SURVEYED
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.perception.namer import FAINTEST, FEATURES, Marker, Namer, Painter

COLUMNS = ("cup", "bottle", "box", "vase", "something", "nothing")
VOCABULARY = ("bottle", "cup", "vase", "zebra")
KINDS = ("box", "cup", "vase", "something")
THINGS = 5
OVER_ALL, OVER_STRANGE, KIND, TAUGHT = 1, 2, 4, 6  # among the features


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
    classes, taught, listed = [2, 0, 3, 1], [1, 2, 0, 3], [3, 1, 0, 2, 4, 5]
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


def said(features_KNF: Tensor, name: str) -> Tensor:
    return features_KNF[:, COLUMNS.index(name)]


def test_a_taught_name_is_judged_by_its_kind_and_another_by_being_none_of_them() -> None:
    scores_KV, kinds_KO, *rest = heard()
    features_KNF = namer().features(scores_KV, kinds_KO, *rest)
    for name in ("box", "cup", "vase", "something"):
        own_K = kinds_KO[:, KINDS.index(name)]
        torch.testing.assert_close(said(features_KNF, name)[:, KIND], own_K - FAINTEST)
    torch.testing.assert_close(said(features_KNF, "bottle")[:, KIND], kinds_KO[:, -1] - FAINTEST)
    assert features_KNF[0, :, TAUGHT].tolist() == [1, 0, 1, 1, 1, 0]


def test_what_was_not_taught_is_judged_alike_whatever_taught_kind_it_resembles() -> None:
    scores_KV, kinds_KO, *rest = heard()
    turned = namer()(scores_KV, kinds_KO[:, [1, 2, 0, 3]], *rest)
    same = namer()(scores_KV, kinds_KO, *rest)
    torch.testing.assert_close(said(turned[..., None], "bottle"), said(same[..., None], "bottle"))
    assert not torch.allclose(said(turned[..., None], "cup"), said(same[..., None], "cup"))


def test_two_names_that_nothing_was_taught_about_are_judged_alike() -> None:
    columns = ("bottle", "zebra", "something", "nothing")
    _, *told = heard()
    equal_KV = torch.tensor([[0.4, 0.1, 0.2, 0.4]]).expand(THINGS, -1)  # bottle and zebra
    logits_KN = namer(columns=columns)(equal_KV, *told)
    torch.testing.assert_close(logits_KN[:, 0], logits_KN[:, 1])


def test_among_what_was_not_taught_a_taught_class_is_not_heard() -> None:
    scores_KV, *told = heard()
    louder_KV = scores_KV.clone()
    louder_KV[:, VOCABULARY.index("cup")] = 5.0
    before, after = (said(namer().features(one, *told), "bottle") for one in (scores_KV, louder_KV))
    assert not torch.allclose(before[:, OVER_ALL], after[:, OVER_ALL])
    torch.testing.assert_close(before[:, OVER_STRANGE], after[:, OVER_STRANGE])


def test_a_kind_that_is_out_of_the_question_is_no_less_than_faint() -> None:
    scores_KV, kinds_KO, *rest = heard()
    features_KNF = namer().features(scores_KV, torch.full_like(kinds_KO, -1e9), *rest)
    assert features_KNF.isfinite().all()
    assert not features_KNF[..., KIND].any()


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


def a_marker() -> Marker:
    torch.manual_seed(0)
    return Marker(features=8, colours=SURVEYED)


def seen() -> tuple[Tensor, Tensor]:
    dice = torch.Generator().manual_seed(2)
    return torch.randn(THINGS, 8, generator=dice), torch.rand(THINGS, SURVEYED, generator=dice)


def test_a_mark_has_unit_length() -> None:
    marks_KM = a_marker()(*seen())
    assert marks_KM.shape == (THINGS, MARKED)
    torch.testing.assert_close(marks_KM.norm(dim=1), torch.ones(THINGS))


def test_a_mark_follows_shape_and_colours_but_not_how_loud_features_are() -> None:
    features_KE, colours_KC = seen()
    marks_KM = a_marker()(features_KE, colours_KC)
    torch.testing.assert_close(a_marker()(7 * features_KE, colours_KC), marks_KM, atol=1e-4, rtol=1e-4)
    assert not torch.allclose(a_marker()(features_KE.flip(1), colours_KC), marks_KM, atol=1e-2)
    assert not torch.allclose(a_marker()(features_KE, colours_KC.flip(1)), marks_KM, atol=1e-2)


def test_a_look_without_things_has_no_marks() -> None:
    assert a_marker()(torch.zeros(0, 8), torch.zeros(0, SURVEYED)).shape == (0, MARKED)
