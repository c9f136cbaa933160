import pytest

from stamina_video.training.experiments.ground import Ground
from tests.training.experiments.toy_ground import toy_ground


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """Shared: what it films, it films once."""
    return toy_ground(tmp_path_factory.mktemp("ground"))
