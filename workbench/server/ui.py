"""The files of the scheduler's web interface, at `/` of the same server (RE-41), or a page that says what is here."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tornado.web import HTTPError, StaticFileHandler

from workbench.server.door import Door
from workbench.values.errors import CommandError

INDEX = "index.html"
STYLES_ARE_THERE = "sha256-MhtPZXr7+LpJUY5qtMutB+qWfQtMaPccfe7QXtCcEYc="
"""Of `this.media='all'`: how a built Angular page takes a style sheet once it is loaded."""
CONTENT = (
    f"default-src 'self'; script-src 'self' 'unsafe-hashes' '{STYLES_ARE_THERE}'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'"
)
"""A page of the interface loads nothing from elsewhere, and no other page can frame it. Styles are written into elements there."""

PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Policy workbench: {name}</title><link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 44rem; padding: 0 1rem }}
</style>
<h1>{name}</h1>
<p>This server answers as the scheduler does, for the simulation that is open in the workbench.</p>
<ul><li><a href="ws/v1/partitions">Partitions</a></li><li><a href="ws/v1/partition/{partition}/queues">Queues</a></li>
<li><a href="ws/v1/partition/{partition}/nodes">Nodes</a></li><li><a href="ws/v1/metrics">Metrics for Prometheus</a></li>
<li><a href="workbench/v1/state">Where the simulation stands</a></li>
<li><a href="workbench/v1/openapi.json">What can be done with it: steps, inputs, reasons</a></li></ul>
<p>The scheduler's own web interface is shown here when the server is started with <code>--ui FOLDER</code>.</p></html>
"""


class TokenToCookie(Door):
    """A page that is opened with the token in its address keeps it in a cookie and out of the address, where others may read it."""

    def prepare(self) -> None:
        super().prepare()
        if self._finished or self.token_in_address is None or self.request.method not in ("GET", "HEAD"):
            return
        access = self.served.access
        if access.opens(self.token_in_address):
            self.set_cookie(access.cookie, access.token, httponly=True, samesite="Strict", path="/")
        # A path that begins with two slashes would be the name of another server.
        self.redirect("/" + self.address.lstrip("/\\"))


class Welcome(TokenToCookie):
    """What is at `/` where no web interface is served."""

    def get(self) -> None:
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        self.finish(
            PAGE.format(name=html.escape(self.served.bench.name), partition=quote(self.served.bench.partition.name, safe=""))
        )


class Interface(TokenToCookie, StaticFileHandler):
    """A file of the interface; an address without a file is a view of its one page."""

    def initialize(self, served: Any, path: str) -> None:  # type: ignore[override]
        TokenToCookie.initialize(self, served)
        StaticFileHandler.initialize(self, path, INDEX)

    def set_extra_headers(self, path: str) -> None:
        self.set_header("Cache-Control", "no-cache")
        self.set_header("Content-Security-Policy", CONTENT)

    def set_default_headers(self) -> None:
        TokenToCookie.set_default_headers(self)

    def compute_etag(self) -> str | None:  # type: ignore[override]
        return StaticFileHandler.compute_etag(self)

    def parse_url_path(self, url_path: str) -> str:
        if "\0" in url_path:  # no name of a file has one
            raise HTTPError(404)
        path = str(super().parse_url_path(url_path))
        is_view = "." not in path.rpartition("/")[2] and not os.path.exists(os.path.join(self.root, path))
        return INDEX if is_view else path

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """The path of a file within the folder, links followed; tornado looks at the path only."""
        real, top = os.path.realpath(absolute_path), os.path.realpath(root)
        if real != top and not real.startswith(top + os.sep):
            raise HTTPError(403)
        return super().validate_absolute_path(root, absolute_path)


def interface_folder(folder: Path) -> Path:
    """The folder of a web interface. CommandError if it holds none."""
    if not (folder / INDEX).is_file():
        raise CommandError(no_interface(str(folder)))
    return folder


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_interface(folder: str) -> str:
    return (
        f"{folder} holds no {INDEX}, so it is no web interface; --ui wants the folder with the built files of "
        "yunikorn-web (dist/yunikorn-web)"
    )
