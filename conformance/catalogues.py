"""Reads clause catalogues, and expands those that are written as a difference from an earlier one.

A catalogue whose header contains `follows = "ID"` has only the changes of its revision:

    dropped = ["id", ...]     clauses and ambiguities of the earlier catalogue that no longer hold;
                              an ambiguity whose clauses are all dropped is settled
    [renumbered]              sections that have a different number now: "9.1" = "10.1"; it applies to
                              `section` and `also_in` of everything that is inherited
    [sections]                the section of individual clauses or ambiguities: id = "3.1"
    [[chapter]]               all chapters, if they differ
    [[clause]], [[ambiguity]] new entries; for an inherited one, its id and the keys that differ

An expanded catalogue is in the order of its sections; within a section, inherited entries come
first. validator/catalogue/difference.cpp does the same in the build.
"""

import tomllib
from pathlib import Path

KINDS = ("clause", "ambiguity")
# Line numbers refer to one text of the specification, so they are not inherited.
NOT_INHERITED = "md_lines"


def read(path):
    """The expanded catalogue of the file; the catalogue that it follows is in the same directory."""
    path = Path(path)
    return expanded(tomllib.loads(path.read_text()),
                    lambda id: tomllib.loads((path.parent / f"{id}.toml").read_text()))


def expanded(catalogue, find):
    """The expanded catalogue. `find` returns the catalogue with an id in the form of its file."""
    base_id = catalogue["specification"].get("follows")
    if base_id is None:
        return catalogue
    base = expanded(find(base_id), find)
    dropped = set(catalogue.get("dropped", ()))
    numbers, sections = catalogue.get("renumbered", {}), catalogue.get("sections", {})
    whole = {key: value for key, value in catalogue.items()
             if key not in ("dropped", "renumbered", "sections")}
    whole["chapter"] = catalogue.get("chapter") or base.get("chapter", [])
    for kind in KINDS:
        given = {entry["id"]: entry for entry in catalogue.get(kind, ())}
        entries = []
        for entry in base.get(kind, ()):
            names = entry.get("clauses", []) if kind == "ambiguity" else []
            left = [each for each in names if each not in dropped]
            settled = names and not left and "basis" not in entry and entry["id"] not in given
            if entry["id"] not in dropped and not settled:
                if names:
                    entry = {**entry, "clauses": left}
                entry = {**entry, "section": numbers.get(entry["section"], entry["section"])}
                entry.pop(NOT_INHERITED, None)
                if "also_in" in entry:
                    entry["also_in"] = [numbers.get(each, each) for each in entry["also_in"]]
                if entry["id"] in sections:
                    entry["section"] = sections[entry["id"]]
                entries.append({**entry, **given.pop(entry["id"], {})})
        entries += given.values()
        whole[kind] = sorted(entries, key=lambda entry: place(entry["section"], whole["chapter"]))
    return whole


def place(section, chapters):
    """A sort key: sections by their numbers; a section without one follows the chapter listed before it."""
    last = ()
    for index, chapter in enumerate(each["number"] for each in chapters):
        if numbered(chapter):
            last = numbers_of(chapter)
        elif chapter == section:
            return (*last, float("inf"), index)
    return numbers_of(section) if numbered(section) else (float("inf"),)


def numbered(section):
    return all(part.isascii() and part.isdigit() for part in section.split("."))


def numbers_of(section):
    return tuple(map(int, section.split(".")))
