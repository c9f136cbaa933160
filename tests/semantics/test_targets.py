import pytest

from stamina_video.semantics import InvalidInput, Operator, Scope, Target


def test_words_are_tidied_and_the_operator_is_read() -> None:
    target = Target("  red   mugs ", "o2-unique")
    assert target.description == "red mugs"
    assert target.operator is Operator.O2_UNIQUE
    assert target == Target("red mugs", Operator.O2_UNIQUE, Scope.ENTITY)
    assert hash(target) == hash(Target("red mugs", "O2-Unique", "entity"))


@pytest.mark.parametrize(
    ("operator", "scope"),
    [("O1-Snap", "entity"), ("E1-Action", "global"), ("E2-Episode", "global"), ("E2-Periodic", "global")],
)
def test_scope_has_a_sensible_default(operator: str, scope: str) -> None:
    assert Target("it", operator).scope is Scope(scope)


def test_cycles_are_always_one_global_stream() -> None:
    assert Target("squats", "E2-Periodic", "global").scope is Scope.GLOBAL
    with pytest.raises(InvalidInput, match="expected scope global for E2-Periodic"):
        Target("squats", "E2-Periodic", "entity")


@pytest.mark.parametrize("description", ["کتاب‌ها", "👩‍🍳 at work", "café\u00a0cups", "杯子"])
def test_every_script_is_welcome(description: str) -> None:
    assert Target(description, "O1-Snap").description == " ".join(description.split())


@pytest.mark.parametrize("description", ["", "   ", "\x00mug", "mug\ud800", None, 3])
def test_an_empty_or_unprintable_description_is_refused(description: str) -> None:
    with pytest.raises(InvalidInput, match="expected a target description in words"):
        Target(description, "O1-Snap")


def test_an_unknown_scope_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected scope global or entity, got 'room'"):
        Target("mugs", "O1-Snap", "room")
