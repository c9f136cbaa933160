from stamina_video.data.loaded import Refusal, accepted
from stamina_video.semantics import InvalidInput


def half(number: int) -> int:
    if number % 2:
        raise InvalidInput(f"expected an even number, got {number}")
    return number // 2


def test_what_cannot_be_made_is_named_and_the_rest_made() -> None:
    made, refused = accepted([2, 3, 4], str, half)
    assert made == [1, 2]
    assert refused == [Refusal("3", "expected an even number, got 3")]
