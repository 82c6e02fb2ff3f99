"""The scheduler's own configuration in ConfigMaps: `yunikorn-defaults`, and `yunikorn-configs` over it. K-40."""

from __future__ import annotations

import base64
import binascii
import gzip
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from workbench.config.write.export import DEFAULT_NAME, DEFAULT_NAMESPACE, QUEUES_KEY
from workbench.files.reading import MOST_BYTES
from workbench.importers.kubernetes.fields import WrongField, mapping, text, texts
from workbench.importers.kubernetes.objects import Found

DEFAULTS, CONFIGS = "yunikorn-defaults", DEFAULT_NAME
POLICY_GROUP = "service.policyGroup"
UNIQUE_IDS = "admissionController.filtering.generateUniqueAppId"
PACKED = ".gz"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the ConfigMaps say together.

    Attributes:
        queues: the text of the queue configuration; empty without one.
        others: all else, key by key.
        key: of the queue configuration.
        name, namespace: of the ConfigMap that the queue configuration is from; empty without one.
        beside: what else that ConfigMap holds.
        source: where that was found, for messages.
    """

    queues: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    key: str = QUEUES_KEY
    name: str = ""
    namespace: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    @property
    def unique_ids(self) -> bool:
        """Whether a pod that names no application is one of its own. K-10."""
        return self.others.get(UNIQUE_IDS, "").lower() in ("true", "1", "t")


def is_the_schedulers(found: Found) -> bool:
    """Whether a ConfigMap is one that the scheduler reads."""
    return text(found.object, "metadata", "name") in (DEFAULTS, CONFIGS)


def settings_of(maps: Iterable[Found]) -> tuple[Settings, list[Found]]:
    """What these ConfigMaps say together, and those of other namespaces, which are not read.

    Read are those of the namespace `yunikorn`, or of the first one that has any. WrongField if one cannot be read.
    """
    given = list(maps)
    spaces = [text(each.object, "metadata", "namespace") for each in given]
    home = DEFAULT_NAMESPACE if DEFAULT_NAMESPACE in spaces or not spaces else spaces[0]
    read = [each for each, space in zip(given, spaces) if space == home]
    data: dict[str, str] = {}
    origin: dict[str, Found] = {}
    for name in (DEFAULTS, CONFIGS):
        for each in read:
            if text(each.object, "metadata", "name") == name:
                found = data_of(each)
                data.update(found)
                origin.update(dict.fromkeys(found, each))
    group = data.get(POLICY_GROUP)
    key = f"{group}.yaml" if group else QUEUES_KEY
    others = {name: value for name, value in data.items() if name != key}
    left = [each for each, space in zip(given, spaces) if space != home]
    if key not in data:
        return Settings(others=others, key=key), left
    name = text(origin[key].object, "metadata", "name")
    beside = {each: value for each, value in others.items() if origin[each] is origin[key]}
    return Settings(data[key], others, key, name, home, beside, f"{origin[key].file}: ConfigMap {name}, {key}"), left


def data_of(found: Found) -> dict[str, str]:
    """The texts of a ConfigMap; packed ones are unpacked, and lose the ending of their key."""
    data = dict(texts(found.object, "data"))
    for key, packed in mapping(found.object, "binaryData").items():
        if not (isinstance(packed, str) and str(key).endswith(PACKED)):
            continue
        data[str(key).removesuffix(PACKED)] = _unpacked(packed, f"binaryData.{key}")
    return data


def _unpacked(packed: str, key: str) -> str:
    try:
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        data = unpacker.decompress(base64.b64decode(packed, validate=True), MOST_BYTES + 1)
        if not unpacker.eof and len(data) <= MOST_BYTES:
            raise WrongField(key, "found a gzip file that breaks off")
        if len(data) > MOST_BYTES:
            raise WrongField(key, f"it is larger than {MOST_BYTES} bytes")
        return data.decode("utf-8")
    except (binascii.Error, zlib.error, gzip.BadGzipFile, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, WrongField):
            raise
        raise WrongField(key, f"found no packed text in base64: {error}") from None
