"""The queue configuration: YAML text to frozen objects, validated as the scheduler validates it. Chapter 02."""

from workbench.config.read.load import DEFAULT_CONFIG_TEXT, checksum, load_config, load_path
from workbench.config.read.parse import parse_config
from workbench.config.validation.validate import validate

__all__ = ["DEFAULT_CONFIG_TEXT", "checksum", "load_config", "load_path", "parse_config", "validate"]
