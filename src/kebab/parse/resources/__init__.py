"""Configuration, builds and schemas by the units they are made of; code without a grammar as it stands."""

from kebab.parse.resources.parser import RESOURCE_KINDS, ResourceParser
from kebab.parse.resources.plain import PlainCodeParser

__all__ = ["RESOURCE_KINDS", "PlainCodeParser", "ResourceParser"]
