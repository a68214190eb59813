"""Typed configuration of the hardware."""

from .load import ConfigurationError, load_configuration, preset_names
from .schema import Configuration
from .toml import configuration_toml

__all__ = ["Configuration", "ConfigurationError", "configuration_toml", "load_configuration", "preset_names"]
