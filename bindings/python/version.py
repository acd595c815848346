"""The version of the project, from CMakeLists.txt at the top of the checkout."""

import pathlib
import re


def read() -> str:
    text = (pathlib.Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text()
    found = re.search(r"project\(hepcheck VERSION ([0-9.]+)", text)
    if not found:
        raise RuntimeError("CMakeLists.txt states no version")
    return found[1]


__version__ = read()
