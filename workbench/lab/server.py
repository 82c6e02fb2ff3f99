"""A JupyterLab process of our own, on the loopback address and behind a token, that opens on one document.

The process gets a configuration folder of its own, so that neither a person's settings nor a forgotten configuration
file can open it to the network or take its token away. The folder also keeps the token off the command line, where
other people on the machine could read it. What a person chose in JupyterLab's own settings, such as a dark theme,
still holds. The folder is removed when the server stops. The server ends when we do, in whatever way that happens;
`guarded.py` sees to it.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import urlencode

from workbench.files.writing import write_file
from workbench.lab.folder import NOTEBOOK
from workbench.values.errors import CommandError

LOOPBACK = "127.0.0.1"
HERE = Path(__file__).parent
START_SECONDS = 120
"""A first start on a slow disk takes half a minute; after this long something is broken."""
STOP_SECONDS = 10
"""Time for the kernels to end before the process is killed."""
POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class LabOptions:
    """How to serve.

    Attributes:
        directory: folder that JupyterLab shows and that holds the document.
        variables: environment variables that notebooks read, e.g. the design to open.
        page: the document to open, by its name in the folder.
        ip: address to listen on.
        port: None takes 8888 or the next free one; a number that is taken is an error.
        open_browser: let JupyterLab open the document in the person's browser.
        more: further arguments for JupyterLab.
    """

    directory: Path
    variables: dict[str, str]
    page: str = NOTEBOOK
    ip: str = LOOPBACK
    port: int | None = None
    open_browser: bool = True
    more: tuple[str, ...] = ()


def arguments(options: LabOptions) -> list[str]:
    """The command line of the server process. It holds no secret."""
    listed = [
        sys.executable,
        # Without the script's own folder on the path, whose modules are no top-level ones.
        "-P",
        str(HERE / "guarded.py"),
        f"--ServerApp.root_dir={options.directory}",
        f"--ServerApp.ip={options.ip}",
        f"--ServerApp.open_browser={options.open_browser}",
        # One document, side bars closed: the workbench needs the width.
        f"--LabApp.default_url=/doc/tree/{options.page}",
        f"--LabApp.app_settings_dir={HERE / 'settings'}",
        # Nothing leaves the machine unasked: no news, no look for updates, no list of extensions.
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        "--log-level=WARN",
        "--LabApp.log_level=WARN",
    ]
    if options.port is not None:
        listed += [f"--ServerApp.port={options.port}", "--ServerApp.port_retries=0"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        listed.append("--allow-root")
    return [*listed, *options.more]


class LabServer:
    """The running process. Use as a context manager: leaving stops it.

    Attributes:
        url: address of the document, token included; known once the `with` block is entered.
    """

    def __init__(self, options: LabOptions):
        self.options = options
        self.url = ""
        self._private: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> LabServer:
        try:
            self._start()
            self.url = self._await_url()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def wait(self) -> int:
        """Wait until the server ends by itself, e.g. by the menu's Shut Down, and return its exit code."""
        assert self._process is not None
        return self._process.wait()

    def stop(self) -> None:
        """End the server and its kernels. Does nothing when it has ended."""
        try:
            if self._process is not None and self._process.poll() is None:
                self._process.terminate()
                try:
                    self._process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
        finally:
            # Also when somebody does not want to wait so long: without us the server ends by itself.
            self._clear()

    def _clear(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        if self._private is not None:
            shutil.rmtree(self._private, ignore_errors=True)
            self._private = None

    def _start(self) -> None:
        self._private = Path(tempfile.mkdtemp(prefix="workbench-lab-"))
        config, runtime = self._private / "config", self._private / "runtime"
        config.mkdir()
        runtime.mkdir()
        token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
        write_file(config / "jupyter_server_config.json", json.dumps({"IdentityProvider": {"token": token}}))
        # A session of its own: Ctrl-C reaches only us, who then stop it without JupyterLab asking back.
        self._process = subprocess.Popen(
            arguments(self.options),
            # Nothing is written to it. When we end, in whatever way, it is closed, and the server ends as well.
            stdin=subprocess.PIPE,
            start_new_session=True,
            env=os.environ
            | self.options.variables
            | {
                "JUPYTERLAB_SETTINGS_DIR": str(_own_settings_dir()),
                "JUPYTER_CONFIG_DIR": str(config),
                "JUPYTER_RUNTIME_DIR": str(runtime),
                # The kernel of this very environment, whatever kernels the person has installed.
                "JUPYTER_PREFER_ENV_PATH": "1",
            },
        )

    def _await_url(self) -> str:
        """The document's address, as soon as the server has written down where it listens, which is before it does, and answers."""
        assert self._process is not None and self._private is not None
        record = self._private / "runtime" / f"jpserver-{self._process.pid}.json"
        for _ in range(int(START_SECONDS / POLL_SECONDS)):
            if self._process.poll() is not None:
                port = f" Is port {self.options.port} taken?" if self.options.port else ""
                raise CommandError(f"JupyterLab ended before it was ready; its own messages are above.{port}")
            try:
                told = json.loads(record.read_text(encoding="utf-8"))
                socket.create_connection((told["hostname"], told["port"]), POLL_SECONDS).close()
            except (OSError, json.JSONDecodeError):  # not written yet, or not to the end; or nobody listens yet
                time.sleep(POLL_SECONDS)
                continue
            return f"{told['url']}doc/tree/{self.options.page}?{urlencode({'token': told['token']})}"
        raise CommandError(f"JupyterLab did not start within {START_SECONDS} s")


def _own_settings_dir() -> Path:
    """Where this person's JupyterLab settings are, before we point JupyterLab's configuration elsewhere."""
    from jupyter_core.paths import jupyter_config_dir  # here: it is only there where JupyterLab is

    return Path(os.environ.get("JUPYTERLAB_SETTINGS_DIR") or Path(jupyter_config_dir()) / "lab" / "user-settings")
