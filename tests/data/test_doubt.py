from pathlib import Path

import pytest

from stamina_video.data.doubt import doubtful_links
from stamina_video.data.pool import read_pool, write_pool
from tests.data.making import make


@pytest.mark.parametrize(
    ("words", "parent", "in_doubt"),
    [
        ("muggs", "kitchen", True),
        ("teamugs or mug", "kitchen", True),
        ("lamps", "kitchen", False),
        ("muggs", "garden", False),  # another video's mugs are other mugs
    ],
)
def test_wordings_that_look_alike_are_linked(words: str, parent: str, in_doubt: bool, tmp_path: Path) -> None:
    write_pool([make("first", "shelves"), make("ours", words, parent=parent)], tmp_path)
    found = list(doubtful_links(read_pool(tmp_path).trajectories, [make("theirs", "mugs")]))
    assert found == ([(1, "in doubt 0"), (2, "in doubt 0")] if in_doubt else [])
