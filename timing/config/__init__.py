"""Typed configuration of the hardware."""

from .load import ConfigurationError, configuration_toml, load_configuration, preset_names
from .schema import Configuration

__all__ = ["Configuration", "ConfigurationError", "configuration_toml", "load_configuration", "preset_names"]
