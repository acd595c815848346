"""Recipes: small functions that mutate a conformant file in one place, and the findings that this must trigger.

    @invalid("nrows-uint64")
    def signed(t):
        "NROWS is a signed 64-bit integer."
        t.attrs["NROWS"] = int64(5)

writes invalid/7.3/nrows-uint64--signed.h5 to the fixtures of its format, which triggers exactly this
finding. `valid` and `invalid` are methods of the Catalogue of the format.

A recipe is written once for all revisions of its format to which it applies: all revisions, unless
`since` or `until` name the first or the last one. `revised` states different expectations of later revisions;
a clause that only changed its id is renamed by the `successors` of the catalogue.
"""

from dataclasses import dataclass, fields
from pathlib import Path

from conformance import catalogues

CLAUSES = Path(__file__).parents[1] / "conformance" / "clauses"
SETS = ("fails", "warns", "informs")
_SET_OF = {"error": "fails", "warning": "warns", "info": "informs"}


@dataclass(kw_only=True)
class Expectation:
    """The expected result of a validator for a fixture, for one revision."""

    kind: str                 # "valid" or "invalid"
    clause: str               # the clause that the fixture is for
    keeps: list               # further clauses that it satisfies in a boundary case
    fails: set
    warns: set
    informs: set
    asserted: bool = False    # the subject is found only if it is named
    alias: str = None         # the clause that is reported instead of `clause`
    ambiguity: str = None     # of the catalogue, which the expectation depends on
    outcome: str = None       # "unsupported", "unchecked"
    unchecked: list = None    # clauses that cannot be checked, among others
    tables: dict = None       # the findings of other subjects of the file: {path: {"fails": ids, ...}}

    @property
    def reports(self):
        return self.fails | self.warns | self.informs


class Revision:
    """One catalogue, expanded if it is a difference from an earlier one."""

    def __init__(self, entries):
        self.id = entries["specification"]["id"]
        self.clauses = {clause["id"]: clause for clause in entries["clause"]}
        self.ambiguities = {entry["id"] for entry in entries.get("ambiguity", ())}

    def expectation(self, clause, kind, keeps, options):
        """The expectation from the options of a recipe. A clause that it satisfies, or an ambiguity that it
        depends on, may exist only in other revisions."""
        rest = {key: value for key, value in options.items() if key not in (*SETS, "also")}
        if rest.get("ambiguity") not in self.ambiguities:
            rest.pop("ambiguity", None)
        assert clause in self.clauses, \
            f"no clause of {self.id}: {clause}; say since=, until= or revised="
        if kind == "invalid" and "alias" not in rest and self._reported_as(clause) != clause:
            rest["alias"] = self._reported_as(clause)
        if {*SETS} & options.keys():
            given = {word: set(options.get(word, ())) for word in SETS}
        else:
            found = {*options.get("also", ())}
            if kind == "invalid" and "outcome" not in options:
                found.add(rest.get("alias", clause))
            self._know(found)
            given = {word: {each for each in found if self._set_of(each) == word} for word in SETS}
        expected = Expectation(kind=kind, clause=clause,
                               keeps=sorted(set(keeps) & self.clauses.keys()), **given, **rest)
        others = (set(ids) for sets in (expected.tables or {}).values() for ids in sets.values())
        self._know(expected.reports.union(*others))
        assert kind == "invalid" or not expected.fails, f"{clause}: a valid fixture that fails"
        return expected

    def _know(self, clauses):
        unknown = clauses - self.clauses.keys()
        assert not unknown, f"no clause of {self.id}: {sorted(unknown)}"

    def _reported_as(self, clause):
        """Clauses that a file cannot violate separately are reported under another id."""
        others = self.clauses[clause].get("emitted_as", [])
        if len(others) > 1:
            raise ValueError(f"{clause} is reported as one of {others}: say which by alias=")
        return others[0] if others else clause

    def _set_of(self, clause):
        return _SET_OF[self.clauses[clause]["default_severity"]]


@dataclass
class Recipe:
    path: str            # of the fixture, below those of its format
    clause: str          # by the first revision that it holds in
    shows: str
    base: object         # creates the object to mutate
    mutate: object
    expectations: dict   # specification id -> Expectation: for the revisions to which it applies, oldest first

    @property
    def expected(self):
        """The expectation of the first revision to which it applies."""
        return next(iter(self.expectations.values()))

    @property
    def is_base(self):
        """Whether it is about its base: the mutation is `lambda f: None`."""
        return self.mutate.__code__.co_code == (lambda f: None).__code__.co_code

    def mutated(self):
        """The contents of the fixture. A recipe may return a different object than its argument."""
        subject = self.base()
        returned = self.mutate(subject)
        return returned if isinstance(returned, type(subject)) else subject


class Catalogue:
    """The clauses of a format in all its revisions, and the recipes of its fixtures."""

    def __init__(self, name, *, base, suffix, folder=CLAUSES, successors={}, overlapping=False,
                 completed=None):
        """`base` creates the object to mutate for recipes that name no other; `suffix` is the suffix of fixtures.
        `successors` lists the clauses that have another id in later revisions. `overlapping`: the
        specifications of the format are different documents. A recipe then applies to those that have its clause,
        and a finding is expected by those that have the clause of the finding. `completed`: called with the path
        of each fixture and its expectations, to which it may add."""
        self.base, self.suffix, self.successors = base, suffix, successors
        self.overlapping, self.completed = overlapping, completed
        read = [catalogues.read(path) for path in sorted(folder.glob(f"{name}-*.toml"))]
        # The one that the others follow comes first, whatever its name.
        read.sort(key=lambda entries: "follows" in entries["specification"])
        self.revisions = [Revision(entries) for entries in read]
        self.clauses = {}  # as the first revision has them that does
        for revision in self.revisions:
            self.clauses = {**revision.clauses, **self.clauses}
        self.recipes = {}

    def valid(self, clause, slug=None, shows=None, **options):
        """Registers a fixture without errors, which satisfies `clause` (and `keeps`) in a boundary case."""
        return self._register("valid", clause, slug, shows, **options)

    def invalid(self, clause, slug=None, shows=None, **options):
        """Registers a fixture with one defect. Expects the clause, with its default severity."""
        return self._register("invalid", clause, slug, shows, **options)

    def _register(self, kind, clause, slug, shows, *, base=None, keeps=(), since=None, until=None,
                  revised={}, suffix=None, also=(), less=(), **options):
        """`slug` and `shows` are taken from the name and the docstring of the function unless given.

        `options` are those of Expectation. The findings of the base (`base.reports`) are expected
        in addition to the clause, unless the sets are given; `also` adds findings, `less` removes
        some. `revised` contains options for later revisions by their id,
        which override these: `revised={"hep001-2026-07-09": {"warns": {...}}}`.
        """
        held, base = self._between(since, until), base or self.base
        if self.overlapping:
            held = [revision for revision in held if clause in revision.clauses]
        known = set().union(*(revision.clauses for revision in held))
        named = {clause, *keeps, *options.get("unchecked", ())}
        assert named <= known, f"no such clause: {sorted(named - known)}"
        assert options.get("ambiguity") in {None}.union(
            *(revision.ambiguities for revision in held)), f"no ambiguity: {options['ambiguity']}"
        assert revised.keys() <= {revision.id for revision in held}, f"not held in: {[*revised]}"
        if not {*SETS} & options.keys():
            options["also"] = {*getattr(base, "reports", ()), *also} - {*less}
        expectations = {}
        for revision in held:
            says = {"kind": kind, "clause": clause, "keeps": keeps, **options}
            says = {**self._as_known_to(revision, says), **revised.get(revision.id, {})}
            expectations[revision.id] = revision.expectation(
                says.pop("clause"), says.pop("kind"), says.pop("keeps"), says)

        def register(mutate):
            name = slug or mutate.__name__.strip("_").replace("_", "-")
            ending = suffix or self.suffix
            path = f"{kind}/{self.clauses[clause]['section']}/{clause}--{name}{ending}"
            assert path not in self.recipes, f"two recipes for one file: {path}"
            if self.completed:
                self.completed(path, expectations)
            self.recipes[path] = Recipe(path, clause, shows or mutate.__doc__.strip(),
                                        base, mutate, expectations)
            return mutate

        return register

    def _as_known_to(self, revision, says):
        """The same options with the ids of clauses that are renamed in a revision."""
        def known(clause):
            return clause if clause in revision.clauses else self.successors.get(clause, clause)

        found = {**says, "clause": known(says["clause"]), "keeps": [*map(known, says["keeps"])]}
        for word in (*SETS, "also"):
            if word in says:
                found[word] = {*map(known, says[word])}
        if says.get("unchecked"):
            found["unchecked"] = sorted(revision.clauses.keys() & map(known, says["unchecked"]))
        if says.get("alias"):
            found["alias"] = known(says["alias"])
        if self.overlapping:
            self._limit(found, revision)
        if says.get("tables"):
            found["tables"] = {path: {word: {*map(known, ids)} for word, ids in sets.items()}
                               for path, sets in says["tables"].items()}
        return found

    def _limit(self, says, revision):
        """Leaves only the findings whose clauses the specification has. Some specification has each."""
        for word in (*SETS, "also"):
            if word in says:
                unknown = says[word] - self.clauses.keys()
                assert not unknown, f"no such clause: {sorted(unknown)}"
                says[word] &= revision.clauses.keys()

    def _between(self, since, until):
        ids = [revision.id for revision in self.revisions]
        first = ids.index(since) if since else 0
        last = ids.index(until) if until else len(ids) - 1
        assert first <= last, f"no revision from {since} to {until}"
        return self.revisions[first:last + 1]

    # The manifest -------------------------------------------------------------------------------

    def entry(self, recipe, content, group):
        """The manifest entry of a fixture: for the first revision to which it applies, then
        only the differences of others (fixtures/README.md)."""
        specs = list(recipe.expectations)
        says = {spec: _shown(expected, group) for spec, expected in recipe.expectations.items()}
        first = says[specs[0]]
        made = {**content, "spec": specs[0], "group": group, "kind": first.pop("kind"),
                "clause": first.pop("clause"), "keeps": first.pop("keeps"), "shows": recipe.shows,
                **first}
        if specs[-1] != self.revisions[-1].id:
            made["until"] = specs[-1]
        changes = {spec: _changes(made, says[spec]) for spec in specs[1:]}
        if any(changes.values()):
            made["revisions"] = {spec: change for spec, change in changes.items() if change}
        return made

    def manifest(self, entries):
        first, *later = [revision.id for revision in self.revisions]
        return {"schema": 1, "spec": first, **({"later": later} if later else {}),
                "fixtures": entries}


_PLAIN = [field.name for field in fields(Expectation)
          if field.name not in (*SETS, "kind", "clause", "keeps", "tables")]


def _sorted_sets(sets):
    return {word: sorted(sets.get(word, ())) for word in SETS}


def _shown(expected, group):
    made = {"kind": expected.kind, "clause": expected.clause, "keeps": expected.keeps,
            **_sorted_sets(vars(expected)),
            **{key: getattr(expected, key) for key in _PLAIN if getattr(expected, key)}}
    if expected.tables:
        subjects = {group: vars(expected), **expected.tables}
        made["tables"] = [{"group": path, **_sorted_sets(sets)} for path, sets in subjects.items()]
    return made


def _changes(first, later):
    """The changes to an entry; null if a key is removed."""
    keys = [key for key in ("kind", "clause", "keeps", *SETS, *_PLAIN, "tables")
            if first.get(key) != later.get(key)]
    return {key: later.get(key) for key in keys}
