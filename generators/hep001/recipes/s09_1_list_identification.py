"""HEP001 9.1 (2026-07-09), list columns: CLASS and KIND, and what has neither."""

from generators.hep001 import *

valid, invalid = valid_since_newer, invalid_since_newer
LEVELS = {"outermost": outermost, "nested": nested, "texts": texts}
WORDS = {"outermost": "a list column", "nested": "a nested list", "texts": "a STRING_VALUES group"}


def attribute_case(name, clause, slug, shows, make, places=("outermost", "nested", "texts"),
                   kind=invalid, **options):
    """The same attribute, of the value that belongs there, on a level of each sort."""
    for place in places:
        def mutate(t, place=place):
            value = "OFFSETS" if name == "KIND" else \
                "STRING_VALUES" if place == "texts" else "LIST_COLUMN"
            LEVELS[place](t).attrs[name] = make(value)
        kind(clause, f"{slug}-{place}", f"{name} of {WORDS[place]} {shows}.", base=list_table,
             **options)(mutate)


for name, clauses, places in (("CLASS", "list-class", ("outermost", "nested", "texts")),
                              ("KIND", "list-kind", ("outermost", "nested"))):
    fixed = f"{clauses}-fixed-" + ("length" if name == "CLASS" else "string")
    attribute_case(name, f"{clauses}-scalar", "shape-1", "has shape {1}",
                   lambda value: ascii_text(value).shaped(1), places)
    attribute_case(name, f"{clauses}-scalar", "shape-2", "has shape {2}",
                   lambda value: ascii_text(value).shaped(2), places[-1:])
    attribute_case(name, fixed, "variable-length", "is a variable-length string",
                   lambda value: vlen_text(value, cset=ASCII), places)
    attribute_case(name, f"{clauses}-null-terminated", "null-padded",
                   "is null-padded, with a byte for the NUL",
                   lambda value: ascii_text(value, len(value) + 1, pad=NULLPAD), places)
    attribute_case(name, f"{clauses}-null-terminated", "exactly-as-long",
                   "is null-padded and exactly as long as its value",
                   lambda value: ascii_text(value, len(value), pad=NULLPAD), places[:1])
    attribute_case(name, f"{clauses}-null-terminated", "space-padded", "is padded with a space",
                   lambda value: ascii_text(value, len(value) + 1, pad=SPACEPAD), places[:1])
    attribute_case(name, f"{clauses}-null-terminated", "without-nul",
                   "is declared null-terminated, and has no byte for the NUL",
                   lambda value: ascii_text(value, len(value)), places[:1])
    attribute_case(name, f"{clauses}-ascii", "utf8", "is declared UTF-8",
                   lambda value: text(value, pad=NULLTERM), places)

attribute_case("CLASS", "list-class-null-terminated", "size-64", "has 64 bytes",
               lambda value: ascii_text(value, 64), kind=valid,
               keeps=["list-class-scalar", "list-class-fixed-length", "list-class-ascii",
                      "list-class-present"])
attribute_case("KIND", "list-kind-null-terminated", "size-64", "has 64 bytes",
               lambda value: ascii_text(value, 64), ("outermost", "nested"), kind=valid,
               keeps=["list-kind-present", "list-kind-scalar", "list-kind-fixed-string",
                      "list-kind-ascii", "list-kind-value"])


@valid("nested-list-no-column", base=list_table, keeps=["list-class-present", "list-kind-present"])
def one_name_for_all_levels(t):
    "column-order names the outermost groups only; the nested ones are not columns."


# A group that is not a list column for want of CLASS

def without_class(slug, shows, make):
    @invalid("list-class-present", slug, shows, base=list_table, fails={"no-user-subgroup"},
             alias="no-user-subgroup", ambiguity="list-without-class")
    def mutate(t):
        names = [*t.columns(), "tags", "tracks"]
        make(outermost(t).attrs)
        t.attrs["column-order"] = text(names)


without_class("absent", "A group of OFFSETS, VALUES and MASK has no CLASS.",
              lambda attrs: attrs.pop("CLASS"))
without_class("lower-case", "CLASS of a group of OFFSETS, VALUES and MASK is `list_column`.",
              lambda attrs: attrs.update(CLASS=ascii_text("list_column")))


@invalid("list-class-present", "nested", base=list_table, fails={"list-values-form"},
         alias="list-values-form", ambiguity="list-without-class")
def nested_without_class(t):
    "A nested group has no CLASS."
    del nested(t).attrs["CLASS"]


@invalid("list-class-present", "listed", base=list_table, alias="no-user-subgroup",
         fails={"no-user-subgroup", "column-order-only-columns"}, ambiguity="list-without-class")
def listed_in_column_order(t):
    "A group has no CLASS, and column-order names it."
    order = text([*t.columns(), *t.list_columns()])
    del outermost(t).attrs["CLASS"]
    t.attrs["column-order"] = order


@invalid("no-user-subgroup", base=list_table)
def texts_below_the_table(t):
    "A direct child group is of CLASS STRING_VALUES."
    t.attrs["column-order"] = text([*t.columns(), *t.list_columns()])
    t.add("words", list_level([["a", "b"]], TEXTS).elements)


@valid("no-user-subgroup", base=list_table, keeps=["descendants-serve-the-model"])
def list_columns(t):
    "The subgroups of a table are list columns."


# KIND

def without_kind(slug, level, shows):
    @invalid("list-kind-present", slug, shows, base=list_table)
    def mutate(t):
        del level(t).attrs["KIND"]


without_kind("outermost", outermost, "A list column has no KIND.")
without_kind("nested", nested, "A nested list has no KIND.")


@invalid("list-kind-present", base=list_table)
def in_lower_case(t):
    "A list column has an attribute `kind` for KIND."
    outermost(t).attrs["kind"] = outermost(t).attrs.pop("KIND")


attribute_case("KIND", "list-kind-fixed-string", "integer", "is the integer 0",
               lambda value: uint8(0), ("outermost", "nested"))
attribute_case("KIND", "list-kind-fixed-string", "enum", "is an enumeration with a member OFFSETS",
               lambda value: attribute(enum({"OFFSETS": 0}), 0), ("outermost",))


def kind_value(slug, level, value, **options):
    @invalid("list-kind-value", slug, f"KIND of {WORDS[level]} is \"{value}\".", base=list_table,
             **options)
    def mutate(t):
        LEVELS[level](t).attrs["KIND"] = ascii_text(value)


kind_value("lower-case", "outermost", "offsets")
kind_value("empty", "outermost", "")
kind_value("of-an-index", "outermost", "CHUNK_MINMAX")
kind_value("nested-runs", "nested", "RUNS", ambiguity="unknown-list-kind")
kind_value("unknown", "outermost", "RUNS", fails=set(), warns={"list-kind-value"},
           ambiguity="unknown-list-kind")


@invalid("kind-values-uppercase", "of-a-list", base=list_table, fails={"list-kind-value"},
         alias="list-kind-value")
def kind_capitalised(t):
    "KIND of a list column is `Offsets`."
    outermost(t).attrs["KIND"] = ascii_text("Offsets")


@invalid("list-kind-value", base=list_table, fails=set(), warns={"list-kind-value"},
         ambiguity="unknown-list-kind")
def members_of_a_later_kind(t):
    "KIND of a list column is \"RUNS\", and its members have other names."
    outermost(t).attrs["KIND"] = ascii_text("RUNS")
    for name in "OFFSETS", "MASK":
        outermost(t).remove(name)
    outermost(t).add("LENGTHS", Dataset(U32, [2, 0, 0, 1, 3]))


# What discovery must not take for a list column

@valid("column-order-only-columns", "list-outside", base=list_table)
def list_outside_any_table(t):
    "A group of CLASS LIST_COLUMN, without a member, lies outside any table."
    group = t.file.put("/lists/first", Group())
    group.attrs["CLASS"] = ascii_text("LIST_COLUMN")


def reserved_group(slug, shows, group, value):
    @invalid("reserved-groups-carry-no-class", slug, shows, base=good_table)
    def mutate(t):
        group(t).attrs["CLASS"] = ascii_text(value)


reserved_group("categories", "CATEGORIES carries CLASS = \"LIST_COLUMN\".",
               lambda t: t.categories, "LIST_COLUMN")
reserved_group("search-indexes", "SEARCH_INDEXES carries CLASS = \"INDEXES\".",
               lambda t: t.search_indexes, "INDEXES")


# Names of list columns

@invalid("column-name-not-reserved", base=list_table)
def list_named_values(t):
    "A list column is named VALUES."
    t.rename("readings", "VALUES")


@invalid("column-name-not-reserved", base=list_table, fails=set(),
         warns={"column-name-not-reserved"}, ambiguity="kind-tokens-as-names")
def list_named_list_column(t):
    "A list column is named LIST_COLUMN."
    t.rename("readings", "LIST_COLUMN")


@valid("column-name-not-reserved", "members-in-lower-case", base=list_table)
def members_in_lower_case(t):
    "List columns named `values` and `mask`, a column named `generation`."
    t.rename("readings", "values")
    t.rename("tags", "mask")
    t.rename("id", "generation")


for name in ("GENERATION", "SOURCE_GENERATION", "SOURCE_NROWS", "MASK", "OFFSETS", "CHARS"):
    @invalid("column-name-not-reserved", name.lower().replace("_", "-"),
             f"A column is named {name}.",
             ambiguity="member-names-elsewhere" if name in ("MASK", "OFFSETS", "CHARS") else None)
    def column_named(t, name=name):
        t.rename("id", name)


@invalid("column-name-utf8", "list-column", base=lambda: Table("/events", nrows=2))
def list_name_latin_1(t):
    "The name of the only column, a list column, is Latin-1."
    t.add_list(b"d\xe9j\xe0", F32, [[1.0], []])
    del t.attrs["column-order"]  # which would have to repeat the name


@invalid("column-name-no-leading-underscore", "list-column", base=list_table)
def list_name_underscore(t):
    "The name of a list column begins with an underscore."
    t.rename("readings", "_readings")


# Names that lists share with other things

@invalid("list-in-column-order", base=list_table, ambiguity="row-index-in-order-list")
def omitted(t):
    "column-order omits a list column."
    t.attrs["column-order"] = text([*t.columns(), "tags", "tracks"])


@valid("list-in-column-order", base=list_table, keeps=["column-order-complete"])
def before_the_datasets(t):
    "column-order names the list columns first."
    t.attrs["column-order"] = text([*t.list_columns(), *t.columns()])


def member_in_order(slug, shows, name):
    @invalid("column-order-only-columns", slug, f"column-order names {shows}.", base=list_table)
    def mutate(t):
        t.attrs["column-order"] = text([*t.columns(), *t.list_columns(), name])


member_in_order("member-of-a-list", "a member of a list column", "VALUES")
member_in_order("path-of-a-member", "a member of a list column by its path", "readings/VALUES")


@invalid("column-order-recommended", "with-a-list-column")
def lists_count(t):
    "One column, one list column, and no column-order."
    t.remove("energy")
    t.add_list("readings", F32, [[1.0]] * 5)
    del t.attrs["column-order"]


def linked(slug, shows, link):
    @invalid("column-hard-link", slug, shows, base=list_table)
    def mutate(t):
        order = text([*t.columns(), *t.list_columns()])
        t.file.put("/elsewhere", t.remove("readings"))
        t.add("readings", link)
        t.attrs["column-order"] = order


linked("soft-link-to-a-list", "column-order names a soft link to a list column outside the table.",
       SoftLink("/elsewhere"))
linked("external-link-to-a-list", "column-order names an external link to a list column.",
       ExternalLink("other.h5", "/readings"))


@invalid("index-columns-not-list-column", base=list_table)
def only_element(t):
    "The only element of INDEX_COLUMNS refers to a list column."
    t.attrs["INDEX_COLUMNS"] = refs([t.list_column("tags")])


@invalid("index-columns-not-list-column", base=list_table)
def second_element(t):
    "The second element of INDEX_COLUMNS refers to a list column."
    t.attrs["INDEX_COLUMNS"] = refs([t.column("id"), t.list_column("readings")])


@valid("index-columns-not-list-column", base=list_table)
def datasets(t):
    "Two row index columns are datasets; list columns are next to them."
    t.label_rows_by("id", "energy")


@invalid("underscore-index-names-column", "list-column", base=list_table)
def labels_of_a_list(t):
    "`_index` names a list column; INDEX_COLUMNS is absent."
    t.attrs["_index"] = text("tags")


def descriptive(clauses, name, value):
    """Attributes of the list column's group, as on a column."""
    for clause, slug, shows, mutated in (
            ("scalar", "list-column", "has shape {1}", text(value).shaped(1)),
            ("fixed-string", "list-column", "is a variable-length string", vlen_text(value)),
            ("utf8", "list-column", "is declared ASCII", text(value, cset=ASCII))):
        @invalid(f"{clauses}-{clause}", slug, f"`{name}` of a list column {shows}.",
                 base=list_table, ambiguity="declared-character-set" if clause == "utf8" else None)
        def mutate(t, mutated=mutated):
            outermost(t).attrs[name] = mutated


descriptive("units", "units", "V")
descriptive("column-units-vocabulary", "units_vocabulary", "UCUM")
descriptive("column-description", "description", "Voltages.")


@invalid("utf8-attribute-not-truncated", "units-of-a-list", base=list_table)
def cut_in_half(t):
    "`units` of a list column ends in half a character."
    outermost(t).attrs["units"] = text(b"\xc2\xb5\xce")


@valid("list-descriptive-attributes", base=list_table)
def on_group_and_leaf(t):
    "units, units_vocabulary and description on one list column, units on the leaf of another."
    outermost(t).attrs.update(units=text("mV"), units_vocabulary=text("UCUM"),
                              description=text("Voltages of each pulse."))
    t.list_column("tracks").innermost.elements.attrs["units"] = text("cm")
