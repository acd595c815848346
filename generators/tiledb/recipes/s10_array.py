"""Array directories."""

from generators.tiledb import *

plain = lambda: Array().schema(dense())


def named(name, number=22):
    return lambda: Array().schema(dense(number), name=name)


# --- Schemas -------------------------------------------------------------------------------------------
valid("dir-has-schema", "only-schema", "__schema with one file and nothing else.", nothing, base=plain,
      keeps=["dir-schema-entries", "schema-name-form", "schema-name-no-version", "schema-name-timestamps",
             "dir-new-file-version"])
empty = lambda: Array(**{"__schema": None})
invalid("dir-has-schema", "empty", "__schema is empty.", nothing, base=empty)
invalid("dir-has-schema", "only-enumerations", "__schema has only __enumerations.",
        lambda a: a.enumeration(colours()), base=empty, also=["enum-orphan"])
invalid("dir-has-schema", "fragments", "There are fragments and no schema.",
        lambda a: a.members.update({"__fragments/__1_1_" + UUID(1) + "_22": None}), base=empty)
two = lambda: plain().enumeration(colours())
invalid("dir-schema-entries", "folder", "__schema has another directory.",
        lambda a: a.members.__setitem__("__schema/old", None), base=plain)
invalid("dir-schema-entries", "named-like-a-schema", "A directory has the name of a schema.",
        lambda a: a.members.__setitem__(f"__schema/__2_2_{UUID(2)}", None), base=plain)
invalid("dir-schema-entries", "link", "A schema is a link.",
        lambda a: a.members.__setitem__(f"__schema/__2_2_{UUID(2)}", Link("../../other")), base=plain)
for slug, name in (("schema-tdb", "schema.tdb"), ("ds-store", ".DS_Store"),
                   ("one-timestamp", f"__1646080196909_{UUID(3)}"), ("31-digits", f"__1_1_{UUID(3)[1:]}"),
                   ("dashes", "__1_1_295490b3-104f-401e-943c-4a7a58143d3a"), ("upper-case", f"__1_1_{UUID(0xabc).upper()}")):
    invalid("schema-name-form", slug, f"A schema is called {name}.", nothing, base=named(name))
invalid("schema-name-no-version", "22", "The name of a schema ends with its version.", nothing,
        base=named(f"__1_1_{UUID(3)}_22"))
valid("schema-name-timestamps", "apart", "Two timestamps that differ.", nothing, base=named(f"__1_2_{UUID(3)}"),
      ambiguity="schema-timestamps")
valid("schema-name-timestamps", "largest", "The greatest timestamps.", nothing,
      base=named(f"__{2**63 - 1}_{2**63 - 1}_{UUID(3)}"))
for slug, name in (("swapped", f"__2_1_{UUID(3)}"), ("20-digits", f"__1_{10**19}_{UUID(3)}"),
                   ("2-63", f"__1_{2**63}_{UUID(3)}")):
    invalid("schema-name-timestamps", slug, "The timestamps are not in order, or too large.", nothing,
            base=named(name))
valid("dir-old-file-version", "9", "Version 9 in __array_schema.tdb.", nothing, base=lambda: Array().old(dense(9)),
      keeps=["dir-has-schema"])
for number in (10, 22):
    invalid("dir-old-file-version", f"{number}", f"Version {number} in __array_schema.tdb.", nothing,
            base=lambda number=number: Array().old(dense(number)))
valid("dir-new-file-version", "10", "Version 10 in __schema.", nothing, base=lambda: Array().schema(dense(10)))
invalid("dir-new-file-version", "9", "Version 9 in __schema.", nothing, base=lambda: Array().schema(dense(9)))
valid("dir-old-and-new", "both", "An old array that was evolved.", nothing,
      base=lambda: Array().old(dense(5)).schema(dense(attrs=[Attribute("a"), Attribute("b")])))

# --- Enumerations --------------------------------------------------------------------------------------
valid("dir-enum-file-exists", "one", "A schema and the file of its enumeration.", nothing, base=array,
      keeps=["enum-path-equals-file", "enum-name-equals-map", "enum-orphan", "enum-index-representable",
             "enum-below-type-max", "schema-enum-filenames-unique"])
no_file = lambda: Array().schema(coloured())
invalid("dir-enum-file-exists", "no-folder", "There is no __enumerations.", nothing, base=no_file)
invalid("dir-enum-file-exists", "missing", "The file is missing.",
        lambda a: a.members.__setitem__("__schema/__enumerations", None), base=no_file)
invalid("dir-enum-file-exists", "link", "The file is a link.",
        lambda a: a.members.__setitem__(f"__schema/__enumerations/{enumeration_file(0)}", Link("x")), base=no_file)
invalid("dir-enum-file-exists", "old-schema", "The file of an older schema's enumeration is missing.",
        lambda a: a.schema(dense(attrs=[Attribute("a", INT8)]), 2), base=no_file)
invalid("enum-path-equals-file", "digit", "The path name has another digit.",
        lambda a: a.enumeration(Enumeration(path=enumeration_file(1)), enumeration_file(0)), base=no_file)
invalid("enum-name-equals-map", "case", "The name in the file differs in case.",
        lambda a: a.enumeration(Enumeration("Colours")), base=no_file)


@invalid("enum-name-equals-map", base=no_file)
def exchanged(a):
    "Two files are exchanged in the map."
    a.members.clear()
    a.schema(dense(attrs=[Attribute("a", INT8, enumeration="x"), Attribute("b", INT8, enumeration="y")],
                   enums=[("x", enumeration_file(1)), ("y", enumeration_file(0))]))
    a.enumeration(Enumeration("x", number=0)).enumeration(Enumeration("y", number=1))


@invalid("enum-name-equals-map", base=no_file)
def shared_file(a):
    "Two entries of the map share a file."
    a.members.clear()
    a.schema(dense(enums=[("x", enumeration_file(0)), ("y", enumeration_file(0))]))
    a.enumeration(Enumeration("x"))


invalid("enum-orphan", "not-named", "No schema names the file.",
        lambda a: a.enumeration(Enumeration("other", number=5)), base=array)
invalid("enum-orphan", "ds-store", "A stray file that is no enumeration.",
        lambda a: a.members.__setitem__("__schema/__enumerations/.DS_Store", b"stray"), base=array)
invalid("enum-orphan", "folder", "A stray directory.",
        lambda a: a.members.__setitem__("__schema/__enumerations/old", None), base=array)
valid("enum-orphan", "older-schema", "Only an older schema names the file.", nothing,
      base=lambda: Array().schema(coloured(), 1).schema(dense(), 2).enumeration(colours()))


def counted(datatype, count):
    return lambda: Array().schema(dense(attrs=[Attribute("a", datatype, enumeration="colours")],
                                        enums=[("colours", enumeration_file(0))])).enumeration(
        Enumeration(texts=[f"{i:03}" for i in range(count)]))


for slug, datatype, count in (("int8-126", INT8, 126), ("uint8-254", UINT8, 254), ("bool-2", BOOL, 2)):
    valid("enum-below-type-max", slug, f"{count} values.", nothing, base=counted(datatype, count),
          keeps=["enum-index-representable"])
for slug, datatype, count in (("int8-129", INT8, 129), ("uint8-257", UINT8, 257)):
    invalid("enum-index-representable", slug, f"{count} values.", nothing, base=counted(datatype, count),
            ambiguity="what-the-library-refuses")
for slug, datatype, count in (("int8-127", INT8, 127), ("int8-128", INT8, 128), ("uint8-255", UINT8, 255)):
    invalid("enum-below-type-max", slug, f"{count} values.", nothing, base=counted(datatype, count))
valid("dir-empty-enumerations", "empty", "__enumerations is empty.",
      lambda a: a.members.__setitem__("__schema/__enumerations", None), base=plain)
valid("dir-fragments-not-judged", "all", "Fragments, commits and metadata in any state.",
      lambda a: a.members.update({
          f"__fragments/__1_1_{UUID(9)}_22/__fragment_metadata.tdb": b"", "__lock.tdb": b"",
          f"__commits/__1_1_{UUID(9)}_22.wrt": b"", f"__1_1_{UUID(8)}.ok": b"", "__meta": None,
          f"__{UUID(8)}_1/a.tdb": b"cut", "__fragment_meta": None, "__labels/l0/x": b"?"}), base=plain)

# --- Evolution -----------------------------------------------------------------------------------------
valid("evolution-dimensions-equal", "attribute-added", "The second schema has another attribute.", nothing,
      base=evolved)
filled_in = [Dimension("d", INT32, (0, 9), None)], [Dimension("d", INT32, (0, 9), 10)]
valid("evolution-dimensions-equal", "extent-filled-in", "The second schema states the extent of the whole domain.",
      nothing, base=lambda: Array().schema(Schema(22, SPARSE, dims=filled_in[0]), 1).schema(
          Schema(22, SPARSE, dims=filled_in[1]), 2))
for slug, make in (("domain", lambda: dense(dims=[Dimension("rows", INT32, (1, 5), 4)])), ("sparse", lambda: Schema(22, SPARSE)),
                   ("dimension-more", lambda: dense(dims=[Dimension(), Dimension("cols")])),
                   ("extent", lambda: dense(dims=[Dimension(extent=2)])), ("capacity", lambda: dense(capacity=5)),
                   ("cell-order", lambda: dense(cell_order=COLUMN)), ("tile-order", lambda: dense(tile_order=COLUMN)),
                   ("name", lambda: dense(dims=[Dimension("row")])),
                   ("datatype", lambda: dense(dims=[Dimension(datatype=UINT32)]))):
    invalid("evolution-dimensions-equal", slug, f"The second schema differs: {slug.replace('-', ' ')}.",
            lambda a, make=make: a.schema(make(), 2), base=plain)
invalid("evolution-dimensions-equal", "duplicates", "The second schema allows duplicates.",
        lambda a: a.schema(sparse(dups=1), 2), base=lambda: Array().schema(sparse()))


def grown(*ranges):
    def base():
        a = Array()
        for t, each in enumerate(ranges):
            a.schema(dense(dims=[Dimension("d", INT64, (0, 99), 10)],
                           ranges=each and [values(INT64, *each)]), t + 9)
        return a
    return base


def grown_strings(*ranges):
    def base():
        a = Array()
        for t, each in enumerate(ranges):
            a.schema(Schema(22, SPARSE, dims=[Dimension("d", ASCII, None, None)], ranges=[each]), t + 1)
        return a
    return base


valid("evolution-current-domain-grows", "grows", "[0, 9], then [0, 19], by timestamps of different lengths.",
      nothing, base=grown((0, 9), (0, 19)))
valid("evolution-current-domain-grows", "same", "The same range again.", nothing, base=grown((0, 9), (0, 9)))
valid("evolution-current-domain-grows", "strings", "A range of strings that grows.", nothing,
      base=grown_strings((b"b", b"c"), (b"a", b"d")))
for slug, base in (("shrinks", grown((0, 19), (0, 9))), ("turns-empty", grown((0, 9), None)),
                   ("moves", grown((0, 9), (1, 19))), ("strings", grown_strings((b"a", b"d"), (b"a", b"c")))):
    invalid("evolution-current-domain-grows", slug, "The current domain does not contain the one before.", nothing,
            base=base)
