"""Reads a page as a browser would: its tags, its words, and every address it would ask for."""

import re
from html.parser import HTMLParser

ASKING = ("src", "href", "srcset", "action", "data", "poster")


class Page(HTMLParser):
    """A page's elements and its words outside of style and script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._said: list[str] = []
        self._inside = ""
        self.feed(text)
        self.words = " ".join(" ".join(self._said).split())
        self.styled = re.findall(r"url\(|@import", text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside not in ("style", "script"):
            self._said.append(data)

    def count(self, tag: str, **attributes: str) -> int:
        return sum(
            name == tag and all(found.get(key) == value for key, value in attributes.items())
            for name, found in self.tags
        )

    def requests(self) -> list[str]:
        """Addresses that lead out of the page."""
        named = [found[name] or "" for _, found in self.tags for name in ASKING if name in found]
        return [*self.styled, *(address for address in named if not address.startswith(("#", "data:")))]
