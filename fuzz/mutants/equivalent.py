"""Equivalent mutants, which no test can detect, each with its reason (equivalent.json)."""

import functools
import json
import pathlib
import re


@functools.cache
def table() -> tuple[list[tuple[re.Pattern, str]], dict[str, str]]:
    """Patterns that must match a whole key, and keys."""
    read = json.loads(pathlib.Path(__file__).with_name("equivalent.json").read_text())
    return [(re.compile(pattern), reason) for pattern, reason in read["patterns"].items()], read["mutants"]


def reason(key: str) -> str | None:
    patterns, mutants = table()
    return mutants.get(key) or next((why for pattern, why in patterns if pattern.fullmatch(key)), None)
