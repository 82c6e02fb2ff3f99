"""Everything that the scheduler's own web service has, below `/ws`: the answers of `workbench.rest`, sent as they are."""

from __future__ import annotations

import asyncio
import socket
from functools import partial

from tornado.iostream import StreamClosedError

from workbench.rest import Answer
from workbench.rest.stream import Listener
from workbench.server.door import Door
from workbench.server.followers import NO_SEAT, Seat

CROSSING = "access-control-"
"""Headers that let pages of other servers read an answer. The core lets any; here those that were allowed (`--allow-origin`)."""

AT_ONCE = 500
"""Events that are on their way to one follower at a time."""
LONG = 20_000
"""Bytes of a body that is not judged between two other answers."""
HELD = 65_536
"""Bytes that the system may hold for one follower."""


class SchedulerHandler(Door):
    """Any method at any address; which there are is decided where the answers are made."""

    _seat: Seat | None = None

    async def _answer(self) -> None:
        if self.refused_body():
            return
        method, served, headers = self.request.method or "", self.served, self.request.headers
        body = bytes(self.body)
        if len(body) > LONG:
            # Only a text to be judged is so long, and judging it reads nothing of the state: others are answered meanwhile.
            judged = partial(served.documents.of, method, self.address, body, headers)
            found = await asyncio.get_running_loop().run_in_executor(None, judged)
        else:
            found = await served.in_turn(lambda: served.documents.of(method, self.address, body, headers))
        if found.following is not None:
            await self._follow(found, found.following.count)
        else:
            self._head(found)
            self.finish(found.body)

    async def _follow(self, found: Answer, count: int) -> None:
        """Events as they happen, until one of both goes away. Who reads slowly is told the next when the last have been sent, and
        keeps nobody waiting; nothing is held for anyone but the events themselves, of which the oldest are forgotten."""
        served = self.served
        with served.followers.seat(self.request.remote_ip or "") as seat:
            if seat is None:
                self.refuse(503, NO_SEAT)
                return
            self._seat = seat
            # What the system holds for a connection is bounded as well, whatever it deems good for a fast one.
            self.request.connection.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HELD)  # type: ignore[union-attr]
            self._head(found)
            listener = await served.in_turn(lambda: Listener(served.documents.source, count))
            try:
                while not seat.left:
                    seat.woken.clear()
                    lines = await served.in_turn(lambda: listener.lines(AT_ONCE))
                    if lines:
                        self.write(b"".join(lines))
                        await self.flush()
                    else:
                        await seat.woken.wait()
            except StreamClosedError:
                return
        self.finish()

    def on_connection_close(self) -> None:
        super().on_connection_close()
        if self._seat is not None:
            self._seat.leave()

    get = head = post = put = delete = patch = options = _answer

    def _head(self, found: Answer) -> None:
        self.set_status(found.status)
        if found.content_type:
            self.set_header("Content-Type", found.content_type)
        else:
            self.clear_header("Content-Type")
        for name, value in found.headers:
            if not name.lower().startswith(CROSSING):
                self.set_header(name, value)
