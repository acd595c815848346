"""Recipes: small functions that bend a conformant table, and what the result must draw.

    @invalid("nrows-uint64")
    def signed(t):
        "NROWS is a signed 64-bit integer."
        t.attrs["NROWS"] = int64(5)

makes fixtures/hep001/invalid/7.3/nrows-uint64--signed.h5, which draws exactly that one finding.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from .table import small_table

SPEC = "hep001-2026-06-16"
_CATALOGUE = Path(__file__).parents[2] / "conformance" / "clauses" / f"{SPEC}.toml"
_ENTRIES = tomllib.loads(_CATALOGUE.read_text())
CLAUSES = {clause["id"]: clause for clause in _ENTRIES["clause"]}
AMBIGUITIES = {ambiguity["id"] for ambiguity in _ENTRIES["ambiguity"]}

recipes = []


@dataclass
class Recipe:
    kind: str                  # "valid" or "invalid"
    clause: str
    slug: str
    shows: str
    bend: object
    base: object
    expected: dict             # "fails", "warns", "informs" -> set of clause ids
    keeps: list = field(default_factory=list)
    extra: dict = field(default_factory=dict)  # asserted, alias, ambiguity, outcome
    tables: dict = None

    @property
    def path(self):
        return f"{self.kind}/{CLAUSES[self.clause]['section']}/{self.clause}--{self.slug}.h5"


def valid(clause, slug=None, shows=None, *, keeps=(), **options):
    """Registers a fixture without errors, which keeps `clause` (and `keeps`) at an edge."""
    return _register("valid", clause, slug, shows, keeps=list(keeps), **options)


def invalid(clause, slug=None, shows=None, **options):
    """Registers a fixture with one defect. Expects the clause, at its default severity."""
    if not {"fails", "warns", "informs", "outcome"} & options.keys():
        options[_severity_word(clause)] = {_reported_as(clause)}
    return _register("invalid", clause, slug, shows, **options)


def _register(kind, clause, slug, shows, *, base=small_table, keeps=(), fails=(), warns=(),
              informs=(), ambiguity=None, asserted=False, alias=None, outcome=None, tables=None):
    """`slug` and `shows` come from the function's name and docstring unless given.

    `tables` lists what other tables of the file draw, as {path: {"fails": ids, ...}}.
    """
    expected = {"fails": set(fails), "warns": set(warns), "informs": set(informs)}
    unknown = {clause, *keeps, *set().union(*expected.values())} - CLAUSES.keys()
    assert not unknown, f"no such clause: {sorted(unknown)}"
    assert ambiguity in AMBIGUITIES | {None}, f"no such ambiguity: {ambiguity}"
    assert kind == "invalid" or not expected["fails"], f"{clause}: a valid fixture that fails"
    if kind == "invalid" and not alias and _reported_as(clause) != clause:
        alias = _reported_as(clause)
    extra = {"asserted": asserted, "alias": alias, "ambiguity": ambiguity, "outcome": outcome}

    def register(bend):
        recipes.append(Recipe(kind, clause, slug or bend.__name__.strip("_").replace("_", "-"),
                              shows or bend.__doc__.strip(), bend, base, expected, list(keeps),
                              {key: value for key, value in extra.items() if value}, tables))
        return bend

    return register


def _reported_as(clause):
    """Clauses that a file cannot break on their own are reported under another id."""
    others = CLAUSES[clause].get("emitted_as", [])
    if len(others) > 1:
        raise ValueError(f"{clause} is reported as one of {others}: say which by fails= and alias=")
    return others[0] if others else clause


def _severity_word(clause):
    words = {"error": "fails", "warning": "warns", "info": "informs"}
    return words[CLAUSES[_reported_as(clause)]["default_severity"]]
