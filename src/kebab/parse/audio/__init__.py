"""Recordings, sound or film: what is said in them, with the time of every sentence."""

from kebab.parse.audio.parser import KINDS, AudioParser

__all__ = ["KINDS", "AudioParser"]
