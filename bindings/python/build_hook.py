"""Adds the program and the JSON schemas to the wheel, and names the platform that the program needs.

HEPCHECK_PROGRAM is the program, HEPCHECK_PLATFORM the platform tag, such as manylinux_2_31_x86_64."""

import os
import pathlib
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


class ProgramHook(BuildHookInterface):  # type: ignore[misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        program = os.environ.get("HEPCHECK_PROGRAM")
        if not program:
            raise RuntimeError("HEPCHECK_PROGRAM must name the program to put into the wheel")
        included = build_data["force_include"]
        included[program] = "hepcheck/bin/hepcheck"
        for schema in sorted((CHECKOUT / "reports/schema").glob("*.json")):
            included[str(schema)] = f"hepcheck/schema/{schema.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ.get('HEPCHECK_PLATFORM', 'linux_x86_64')}"
