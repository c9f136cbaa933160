"""The surface is listed and pinned: a name appears or vanishes only with this test."""

import importlib
import pkgutil

import pytest

import stamina_video

PACKAGES = [module.name for module in pkgutil.iter_modules(stamina_video.__path__) if module.ispkg]


def test_the_root_surface_is_short() -> None:
    assert stamina_video.__all__ == [
        "Commit",
        "Ledger",
        "Model",
        "Operator",
        "Session",
        "Target",
        "__version__",
        "graph_for",
        "load",
        "open_video",
        "step",
    ]
    assert dir(stamina_video) == sorted(stamina_video.__all__)


@pytest.mark.parametrize("name", stamina_video.__all__)
def test_every_listed_name_is_there(name: str) -> None:
    assert getattr(stamina_video, name)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Mugs'"):
        stamina_video.Mugs  # noqa: B018  # the look-up is the test


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_lists_what_it_offers(package: str) -> None:
    module = importlib.import_module(f"stamina_video.{package}")
    assert module.__doc__
    assert len(set(module.__all__)) == len(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
