"""`/workbench/v1`: what is ours beyond the scheduler's own web service (RE-40)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from urllib.parse import parse_qsl

from workbench.server.actions import PREFIX, Busy, Plain, actions_at, given_in_body, given_in_query
from workbench.server.door import FAULT, JSON, Door
from workbench.values.errors import FileError, PlacedError, WorkbenchError

LOG = logging.getLogger(__name__)


class ControlHandler(Door):
    """One action of the table. What it refuses is a 400 with the sentence that the screen would show, and nothing changed."""

    async def _act(self) -> None:
        if self.refused_body():
            return
        path, _, query = self.address.partition("?")
        methods = actions_at(path.removeprefix(PREFIX))
        action = methods.get(self.request.method or "")
        if action is None:
            if methods:
                self.set_header("Allow", ", ".join(sorted(methods)))
            self.refuse(405 if methods else 404, wrong_method(methods) if methods else nothing_there(path))
            return
        try:
            if action.method == "GET":
                given = given_in_query(action, dict(parse_qsl(query, keep_blank_values=True)))
            else:
                given = given_in_body(action, bytes(self.body))
            result = await action.act(self.served, given, bytes(self.body))
        except Busy as error:
            self.refuse(409, str(error))
        except FileError as error:
            self.refuse(500, str(error))
        except WorkbenchError as error:
            self.refuse(400, str(error), **({"line": error.line} if isinstance(error, PlacedError) and error.line else {}))
        except Exception:
            LOG.exception("%s %s", self.request.method, path)
            self.refuse(500, FAULT)
        else:
            self.set_header("Content-Type", result.content_type if isinstance(result, Plain) else JSON)
            self.finish(result.text if isinstance(result, Plain) else json.dumps(result, ensure_ascii=False) + "\n")

    get = head = post = put = delete = patch = options = _act


# ---- in words ---------------------------------------------------------------------------------------------------------


def wrong_method(methods: Iterable[str]) -> str:
    return f"this address is asked with {' or '.join(sorted(methods))}"


def nothing_there(path: str) -> str:
    return f"there is nothing at {path[:120]}; GET {PREFIX}openapi.json tells what there is"
