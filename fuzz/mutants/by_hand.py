"""Manually written faults, compiled in like mutants.

The faults are listed in a TOML file, with a table [[fault]] for each:

file    path of the source, relative to the root
text    the original text, which occurs once: an expression, or complete statements without declarations
fault   the replacement; empty to remove statements
"""

import pathlib
import tomllib

import sources

ON = "::hepcheck::mutants::on($)"


def read(path: str) -> dict[str, dict]:
    """The faults by key, in the form of sources.all_mutants."""
    found = {}
    for fault in tomllib.loads(pathlib.Path(path).read_text())["fault"]:
        mutant = planted(fault["file"], fault["text"].strip(), fault["fault"].strip())
        found[sources.key(mutant)] = mutant
    return found


def planted(file: str, right: str, wrong: str) -> dict:
    text = sources.content(file)
    begin = text.find(right.encode())
    if begin < 0 or text.count(right.encode()) > 1:
        raise SystemExit(f"{file}: not there once: {right}")
    whole = right.endswith((";", "}"))
    new = f"if ({ON}) {{ {wrong} }} else {{ {right} }}" if whole else f"(({ON}) ? ({wrong}) : ({right}))"
    end = begin + len(right.encode())
    return {"file": file, "line": text[:begin].count(b"\n") + 1, "operator": "by hand",
            "detail": f"{' '.join(wrong.split()) or 'nothing'} instead", "begin": begin, "end": end,
            "edits": [[begin, end, "", "", new.replace("\n", " ")]]}
