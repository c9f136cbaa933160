import re
from pathlib import Path

import pytest

from stamina_video.data.audit import draw_audit
from stamina_video.data.audit_page import read_drawn, write_audit
from stamina_video.semantics import UnreadableFile
from tests.data.filming import film
from tests.data.making import make, tracked


def test_the_page_shows_every_item_with_its_pictures(tmp_path: Path) -> None:
    film(tmp_path / "kitchen.mp4", 10)
    items = draw_audit([make('<t "1">'), tracked()], 1)
    page = write_audit(items, tmp_path, tmp_path / "audit").read_text()
    assert page.count("<article data-id=") == 2
    assert '<article data-id="&lt;t &quot;1&quot;&gt;">' in page
    assert 'src="http' not in page  # everything is inside the file
    assert page.count("data:image/jpeg;base64,") > 8
    for item in items:
        assert f"the count is <b>{item.count}</b>" in page
        change = f"{item.increment:+d}" if item.increment else "0"
        assert f"it changes by <b>{change}</b>" in page
    names = re.findall(r'name="((?:endpoint|increment)-\d)"', page)
    assert len(set(names)) == 4
    assert read_drawn(tmp_path / "audit") == {'<t "1">': "spatial", "tracked": "spatial"}


def test_a_missing_video_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"expected kitchen\.mp4 in"):
        write_audit(draw_audit([make()], 1), tmp_path, tmp_path)
    with pytest.raises(UnreadableFile, match="expected an audit's folder"):
        read_drawn(tmp_path / "nowhere")
