"""The page two readers judge from: one local HTML file with its pictures inside and a form that saves."""

import base64
import html
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

from stamina_video.data.audit import AuditItem
from stamina_video.data.contact_sheet import ContactSheets, Pictures, evenly
from stamina_video.semantics import UnreadableFile

PICTURES = 12  # up to the endpoint; within the interval as many

_PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Audit of $records records</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.4 system-ui, sans-serif; max-width: 70rem; margin: 1rem auto; padding: 0 1rem 5rem }
article { border-top: 1px solid #999; padding: 1rem 0 }
.sheet { display: grid; gap: 4px; margin: .3rem 0;
  grid-template-columns: repeat(auto-fill, minmax(max(9rem, 15%), 1fr)) }
.sheet img { width: 100% }
footer { position: fixed; inset: auto 0 0 0; padding: .6rem 1rem; background: Canvas; border-top: 1px solid }
</style></head><body>
<h1>Audit of $records records</h1>
<p>Look only at what is shown. Judge whether the count at the endpoint is right, and whether the increment
over the interval is right. Save when done; a second reader does the same without seeing your answers. Where
the two differ, settle it together and save once more under the name <code>reconciled</code>.</p>
$articles
<footer><label>Reader <input id="reader"></label> <button id="save">Save judgements</button>
<output id="said"></output></footer>
<script>
document.getElementById("save").onclick = () => {
  const reader = document.getElementById("reader").value.trim(), said = document.getElementById("said");
  if (!reader) { said.value = "Who is judging?"; return; }
  const picked = (box, name) => box.querySelector(`input[data-about=$${name}]:checked`)?.value;
  const rows = [...document.querySelectorAll("article")]
    .map(box => [box.dataset.id, picked(box, "endpoint"), picked(box, "increment")])
    .filter(([, endpoint, increment]) => endpoint && increment)
    .map(([id, endpoint, increment]) => JSON.stringify(
      {id, reader, endpoint: endpoint === "right", increment: increment === "right"}));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([rows.join("\\n") + "\\n"], {type: "application/jsonl"}));
  link.download = `judgements-$${reader}.jsonl`;
  link.click();
  said.value = `$${rows.length} of $records judged`;
};
</script></body></html>
""")

_ARTICLE = Template("""<article data-id="$id"><h2>$question</h2>
<p>$target · $operator · $source · <small>$id</small></p>
<p>At <b>$time s</b> the count is <b>$count</b>.</p><div class="sheet">$prefix</div>$endpoint
<p>From <b>$since s</b> to <b>$until s</b> it changes by <b>$increment</b>.</p>
<div class="sheet">$interval</div>$change</article>
""")


def write_audit(items: Sequence[AuditItem], videos: Path, folder: Path) -> Path:
    """The page, and beside it the list of what was drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    by_video: dict[str, list[tuple[int, AuditItem]]] = {}
    for number, item in enumerate(items):
        by_video.setdefault(item.trajectory.media.path, []).append((number, item))
    articles = [""] * len(items)
    for name, drawn in by_video.items():
        if not (videos / name).is_file():
            raise UnreadableFile(f"expected {name} in {videos}, got no such file")
        for (number, _), article in zip(drawn, _articles(videos / name, drawn), strict=True):
            articles[number] = article
    page = folder / "audit.html"
    page.write_text(_PAGE.substitute(records=len(items), articles="".join(articles)), "utf-8")
    drawn_rows = (json.dumps({"id": item.id, "source": item.stratum[0]}) for item in items)
    (folder / "drawn.jsonl").write_text("".join(f"{row}\n" for row in drawn_rows), "utf-8")
    return page


def read_drawn(folder: Path) -> dict[str, str]:
    """The source of every record that was drawn."""
    try:
        rows = [json.loads(line) for line in (folder / "drawn.jsonl").read_text("utf-8").splitlines()]
        return {str(row["id"]): str(row["source"]) for row in rows}
    except (OSError, ValueError, KeyError, TypeError):
        raise UnreadableFile(f"{folder}: expected an audit's folder with drawn.jsonl, got none") from None


def _articles(video: Path, drawn: Sequence[tuple[int, AuditItem]]) -> list[str]:
    sheets = ContactSheets(video)
    clips = [
        (
            sheets.frames_at(item.trajectory.media_map, evenly(item.trajectory.origin, item.time, PICTURES)),
            sheets.frames_at(item.trajectory.media_map, evenly(item.since, item.until, PICTURES)),
        )
        for _, item in drawn
    ]
    pictures = sheets.pictures(frame for clip in clips for part in clip for frame in part)
    return [
        _article(number, item, *(_sheet(part, pictures) for part in clip))
        for (number, item), clip in zip(drawn, clips, strict=True)
    ]


def _article(number: int, item: AuditItem, prefix: str, interval: str) -> str:
    trajectory = item.trajectory
    words = {
        "id": trajectory.id,
        "question": trajectory.question,
        "target": trajectory.target.description,
        "operator": str(trajectory.operator),
        "source": trajectory.provenance.group,
    }
    return _ARTICLE.substitute(
        {name: html.escape(word, quote=True) for name, word in words.items()},
        time=f"{item.time:g}",
        count=item.count,
        since=f"{item.since:g}",
        until=f"{item.until:g}",
        increment=f"{item.increment:+d}" if item.increment else "0",
        prefix=prefix,
        interval=interval,
        endpoint=_choice(number, "endpoint"),
        change=_choice(number, "increment"),
    )


def _sheet(frames: Iterable[int], pictures: Pictures) -> str:
    sources = (base64.b64encode(pictures[frame]).decode() for frame in frames if frame in pictures)
    return "".join(f'<img alt="" src="data:image/jpeg;base64,{source}">' for source in sources)


def _choice(number: int, about: str) -> str:
    name = f'type="radio" name="{about}-{number}" data-about="{about}"'
    choices = (f'<label><input {name} value="{word}"> {word}</label>' for word in ("right", "wrong"))
    return f"<p>{' '.join(choices)}</p>"
