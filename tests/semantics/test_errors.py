import inspect

from stamina_video.semantics import errors


def test_the_tree_at_the_top_is_the_tree() -> None:
    named = {name: item for name, item in vars(errors).items() if inspect.isclass(item)}
    for name, item in named.items():
        assert name in (errors.__doc__ or ""), f"{name} is missing from the drawing"
        assert issubclass(item, errors.StaminaError)
        assert item.__doc__ is None or item is errors.StaminaError or name in named


def test_bad_input_is_also_what_python_calls_it() -> None:
    assert issubclass(errors.InvalidInput, ValueError)
    assert issubclass(errors.MissingExtra, ImportError)
