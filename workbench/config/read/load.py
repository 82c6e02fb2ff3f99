"""From a text or file to a configuration that the scheduler accepts, and the checksum that tells texts apart."""

from __future__ import annotations

import hashlib
import os
import re

from workbench.config.model import SchedulerConfig
from workbench.config.read.known import known, learn
from workbench.config.read.parse import parse_config
from workbench.config.read.tree_shape import completed
from workbench.config.validation.validate import validate
from workbench.files.reading import read_text
from workbench.values.errors import ConfigError

DEFAULT_CONFIG_TEXT = """\
partitions:
  - name: default
    placementrules:
      - name: tag
        value: namespace
        create: true
    queues:
      - name: root
        submitacl: '*'
"""
"""What a scheduler runs that was given no queue configuration (C-3). An empty text itself has no partitions."""


def load_config(text: str, *, source: str | None = None, limits_by_path: bool = True) -> SchedulerConfig:
    """The configuration in `text`: parsed, completed with root queues and partition names, and validated.

    `limits_by_path` says how the limits of nested queues named `root` are compared, in which releases differ (R-950); a
    release's profile knows.

    Raises:
        ConfigError: where the scheduler would refuse, with its text, and the line where one is at fault. `source`
            names the text in messages.
    """
    read_before = known(text, limits_by_path=limits_by_path)
    if read_before is not None:
        return read_before
    config = completed(parse_config(text, source=source))
    try:
        validate(config, limits_by_path=limits_by_path)
    except ConfigError as error:
        error.source = source
        raise
    return learn(config, limits_by_path=limits_by_path)


def load_path(path: str | os.PathLike[str]) -> SchedulerConfig:
    """`load_config` of a file in UTF-8, or in UTF-16 with a byte order mark.

    Raises:
        ConfigError: as `load_config`; also when the file cannot be read or is no text.
    """
    return load_config(read_text(path), source=str(path))


_CHECKSUM_LINE = re.compile("checksum: .{64}")


def checksum(text: str) -> str:
    """The checksum by which an update recognises an unchanged text: SHA-256 in upper-case hex (C-13).

    A written `checksum: <64 characters>` does not count.
    """
    return hashlib.sha256(_CHECKSUM_LINE.sub("", text).encode("utf-8", "surrogatepass")).hexdigest().upper()
