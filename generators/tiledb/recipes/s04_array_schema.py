"""Schemas: head, lists and maps, and what follows from all of them."""

from generators.tiledb import *


def of(number, **options):
    return version(number, **options)


# --- Head ----------------------------------------------------------------------------------------------
def zero():
    f = dense()
    f["version"] = 0
    return f


one_schema = lambda: Array().schema(dense())
invalid("schema-version-known", "zero", "A schema of version 0 in __schema.", lambda a: a.schema(zero()),
        base=one_schema, ambiguity="lone-file-kind")
invalid("schema-version-known", "enumeration", "An enumeration under the name of a schema.",
        lambda a: a.schema(colours(), 2), base=one_schema)
for number in (24, 100):
    invalid("schema-version-newer", f"version-{number}", f"A schema of version {number}.",
            lambda f, number=number: setattr(f, "version", number), warns=["schema-version-newer"],
            outcome="unsupported", ambiguity="unknown-version")
invalid("schema-version-newer", "schema-alone", "The tile has version 22, and the schema 24.",
        put({"version": 24}), warns=["schema-version-newer"], outcome="unsupported")
invalid("schema-version-newer", "swapped", "Version 22 with the high byte first.",
        all_of(put({"version": 0x16000000}), tile(version=0x16000000)), warns=["schema-version-newer"],
        outcome="unsupported")
for number in (0xFFFFFFFF, 0x80000012):
    invalid("schema-version-experimental", f"{number:x}", f"A schema of version {number:#x}.",
            all_of(put({"version": number}), tile(version=number)), warns=["schema-version-experimental"],
            outcome="unsupported")
valid("schema-head-complete", "version-4", "A schema without the flag of duplicates.", nothing, base=of(4))
invalid("schema-head-complete", "three-bytes", "The schema has 3 bytes.", cut("version", 3))
invalid("schema-head-complete", "capacity-cut", "The schema ends inside the capacity.", cut("capacity", 7))
invalid("schema-head-complete", "empty", "The schema has no bytes.", cut("version"))

invalid("schema-field-order", "padding", "Three bytes of padding come before the capacity.",
        before("capacity", bytes(3)), alias="filter-count-fits")

valid("schema-dups-flag", "sparse", "A sparse array allows duplicates.", put({"dups": 1}), base=sparse,
      keeps=["schema-dups-sparse-only", "schema-array-type", "schema-capacity"])
for number in (2, 128, 255):
    invalid("schema-dups-flag", f"{number}", f"The flag is {number}.", put({"dups": number}))
invalid("schema-dups-sparse-only", "dense", "A dense array allows duplicates.", put({"dups": 1}),
        ambiguity="what-the-library-refuses")
for number in (2, 16, 255):
    invalid("schema-array-type", f"{number}", f"The array type is {number}.", put({"array type": number}))
valid("schema-tile-order", "column", "Column-major tiles and cells.", put({"tile order": 1, "cell order": 1}),
      keeps=["schema-cell-order"])
for number in (2, 3, 4):
    invalid("schema-tile-order", f"{number}", f"The tile order is {number}.", put({"tile order": number}),
            ambiguity="layout-values")
for number in (2, 3, 5):
    invalid("schema-cell-order", f"{number}", f"The cell order is {number}.", put({"cell order": number}),
            ambiguity="layout-values")
invalid("schema-cell-order", "hilbert-in-6", "Hilbert order in version 6.", put({"cell order": 4}),
        base=version(6, sparse))


def hilbert(count, number=8):
    return lambda: Schema(number, SPARSE, cell_order=HILBERT,
                          dims=[Dimension(f"d{i}", INT32, (0, 9), 10) for i in range(count)])


valid("schema-cell-order", "hilbert", "Hilbert order in a sparse array of version 8.", nothing, base=hilbert(2),
      keeps=["schema-hilbert-sparse", "schema-hilbert-dims"], ambiguity="layout-values")
valid("schema-hilbert-dims", "16", "Sixteen dimensions in Hilbert order.", nothing, base=hilbert(16, 7))
invalid("schema-hilbert-sparse", "dense", "A dense array in Hilbert order.", put({"cell order": 4}))
invalid("schema-hilbert-dims", "17", "Seventeen dimensions in Hilbert order.", nothing, base=hilbert(17))
valid("schema-capacity", "one", "Capacity 1.", put({"capacity": 1}), base=sparse)
invalid("schema-capacity", "zero", "Capacity 0 in a sparse array.", put({"capacity": 0}), base=sparse,
        ambiguity="capacity-zero")
for slug, number in (("zero", 0), ("largest", 2**64 - 1)):
    valid("schema-capacity-dense", slug, f"Capacity {number} in a dense array.", put({"capacity": number}))

# --- Gates: fields of another version than the number says ------------------------------------------------
for clause, slug, number, layout, alias, options in (
        ("schema-dups-since-5", "4-with", 4, None, "filter-count-fits", {"before": ("array type", b"\1")}),
        ("schema-dups-since-5", "5-without", 5, None, "filter-count-fits", {"drop": "dups"}),
        ("schema-validity-filters-since-7", "6-with", 6, None, None, {"before": (
            "domain.count", Pipeline(compressor(RLE)).bytes())}),
        ("schema-validity-filters-since-7", "7-without", 7, None, None, {"drop": [
            "validity.max chunk", "validity.count", "validity.filter 0.type", "validity.filter 0.size",
            "validity.filter 0.options"]}),
        ("schema-labels-since-18", "18-without", 18, None, "schema-label-count-fits", {"drop": "labels.count"}),
        ("schema-labels-since-18", "17-with", 17, None, "schema-end", {"tail": bytes(4)}),
        ("schema-enumerations-since-20", "20-without", 20, None, "schema-enum-count-fits", {"drop": "enums.count"}),
        ("schema-enumerations-since-20", "19-with", 19, None, "schema-end", {"tail": bytes(4)}),
        ("schema-current-domain-since-22", "22-without", 22, None, "cd-complete", {"drop": ["cd.version", "cd.empty"]}),
        ("schema-current-domain-since-22", "21-with", 21, None, "schema-end", {"tail": bytes(5)}),
        ("domain-datatype-until-4", "5-with", 5, None, None, {"before": ("domain.count", b"\0")}),
        ("domain-datatype-until-4", "4-without", 4, None, None, {"drop": "domain.datatype"}),
        ("dim-fields-since-5", "4-with", 4, 5, None, {}),
        ("dim-fields-since-5", "5-without", 5, None, None, {"drop": [
            "dim 0.datatype", "dim 0.cell val num", "dim 0.filters.max chunk", "dim 0.filters.count",
            "dim 0.domain size"]}),
        ("attr-fill-since-6", "5-with", 5, None, None, {"tail": u64(4) + bytes(4)}),
        ("attr-fill-since-6", "6-without", 6, None, "schema-attr-count-fits", {"drop": ["attr 0.fill size", "attr 0.fill"]}),
        ("attr-nullable-since-7", "6-with", 6, None, "schema-end", {"tail": bytes(2)}),
        ("attr-nullable-since-7", "7-flag-alone", 7, None, None, {"drop": "attr 0.validity"}),
        ("attr-order-since-17", "16-with", 16, None, "schema-end", {"tail": bytes(1)}),
        ("attr-order-since-17", "17-without", 17, None, None, {"drop": "attr 0.order"}),
        ("attr-enum-since-20", "20-without", 20, None, None, {"drop": ["attr 0.enum size", "attr 0.enum"]}),
        ("attr-enum-since-20", "19-with", 19, None, None, {"before": ("labels.count", bytes(4))})):
    def change(f, layout=layout, options=options, slug=slug, clause=clause):
        # Numbers that leave the fields behind them in order after the shift.
        if clause == "schema-dups-since-5":
            f.capacity = 9984
        if (clause, slug) == ("dim-fields-since-5", "5-without"):
            f.dims[0].domain = values(INT32, 256, 512)
        if layout:
            f.layout = layout
        if "before" in options:
            f.before(*options["before"])
        for name in [options.get("drop", [])] if isinstance(options.get("drop"), str) else options.get("drop", []):
            del f[name]
        f.tail = options.get("tail", b"")
    GATES = {("schema-validity-filters-since-7", "6-with"): "domain-dim-count-fits",
             ("schema-validity-filters-since-7", "7-without"): "filter-complete",
             ("domain-datatype-until-4", "5-with"): "domain-dim-count-fits",
             ("domain-datatype-until-4", "4-without"): "domain-dim-count-fits",
             ("dim-fields-since-5", "4-with"): "filter-count-fits",
             ("dim-fields-since-5", "5-without"): "filter-complete",
             ("attr-fill-since-6", "5-with"): "schema-end",
             ("attr-nullable-since-7", "7-flag-alone"): "attr-complete",
             ("attr-order-since-17", "17-without"): "attr-complete",
             ("attr-enum-since-20", "20-without"): "schema-enum-count-fits",
             ("attr-enum-since-20", "19-with"): "schema-end"}
    invalid(clause, slug, f"Version {number} with the fields of another version.", change, base=of(number),
            alias=alias or GATES[clause, slug],
            ambiguity="attribute-enumeration-name" if clause == "attr-enum-since-20" else None)

# --- Lists ---------------------------------------------------------------------------------------------
valid("schema-attr-count-fits", "three", "Three attributes.", other(lambda: dense(
    attrs=[Attribute("a"), Attribute("b", FLOAT64), Attribute("c", ASCII, VAR)])),
    keeps=["schema-names-unique", "name-text", "schema-end", "schema-dense-needs-attr", "datatype-since",
           "schema-enum-count-fits", "schema-label-count-fits"])
invalid("schema-attr-count-fits", "largest", "There are 4294967295 attributes.", put({"attrs.count": 0xFFFFFFFF}))
invalid("schema-attr-count-fits", "cut", "The schema ends before the number of attributes.", cut("attrs.count"))
invalid("schema-attr-count-fits", "one-too-large", "One attribute too many is counted in version 5.",
        put({"attrs.count": 2}), base=of(5))
invalid("schema-label-count-fits", "largest", "There are 4294967295 labels.", put({"labels.count": 0xFFFFFFFF}))
invalid("schema-label-count-fits", "cut", "The schema ends after the attributes.", cut("labels.count"), base=of(18))
invalid("schema-enum-count-fits", "largest", "There are 4294967295 enumerations.",
        put({"enums.count": 0xFFFFFFFF}))
invalid("schema-enum-count-fits", "cut", "The schema ends after the labels.", cut("enums.count"), base=of(20))


def with_map(*entries, enumeration=""):
    return lambda: dense(attrs=[Attribute("a", INT8, enumeration=enumeration)], enums=entries)


FILE = enumeration_file(0)
mapped = with_map(("colours", FILE), enumeration="colours")
valid("schema-enum-name-length", "seven", "A map with an enumeration.", nothing, base=mapped,
      keeps=["schema-enum-filename-length", "schema-enum-name-nonempty", "schema-enum-names-unique",
             "schema-enum-filename-component", "schema-enum-filename-form", "schema-enum-filenames-unique",
             "attr-enum-known", "attr-enum-integer", "attr-enum-single", "attr-enum-name-length"])
for field in ("name", "file"):
    clause = "schema-enum-name-length" if field == "name" else "schema-enum-filename-length"
    invalid(clause, "largest", "The length is 4294967295.", put({f"enum 0.{field} size": 0xFFFFFFFF}), base=mapped)
    invalid(clause, "cut", f"The schema ends inside the {field} name." if field == "file" else
            "The schema ends inside the name.", cut(f"enum 0.{field}", 5), base=mapped)
invalid("schema-enum-name-nonempty", "empty", "An enumeration has no name.", nothing, base=with_map(("", FILE)))
invalid("schema-enum-names-unique", "two-files", "Two enumerations of one name.", nothing,
        base=with_map(("c", FILE), ("c", enumeration_file(1))))
invalid("schema-enum-names-unique", "equal", "Two equal entries.", nothing, base=with_map(("c", FILE), ("c", FILE)))
valid("schema-enum-names-unique", "case", "Two names that differ in case.", nothing,
      base=with_map(("c", FILE), ("C", enumeration_file(1))))
for slug, name in (("up", "../__schema/x"), ("empty", ""), ("slash", "a/b"), ("dots", ".."),
                   ("absolute", "/etc/passwd"), ("backslash", "a\\b"), ("nul", "a\0b")):
    invalid("schema-enum-filename-component", slug, "The file name is none.", nothing,
            base=with_map(("colours", name)))
for slug, name in (("tdb", "colors.tdb"), ("dashes", "__45addf7a-c943-17c8-d5a8-a3e7957bbe6c_0"),
                   ("no-version", FILE[:-2]), ("upper-case", FILE.upper())):
    invalid("schema-enum-filename-form", slug, "The file name has another form.", nothing,
            base=with_map(("colours", name)))
invalid("schema-enum-filenames-unique", "shared", "Two enumerations share a file.", nothing,
        base=with_map(("c", FILE), ("d", FILE)))
valid("schema-enum-any-order", "reversed", "The map is not in the order of the attributes.", nothing,
      base=lambda: dense(attrs=[Attribute("a", INT8, enumeration="x"), Attribute("b", INT8, enumeration="y")],
                         enums=[("y", enumeration_file(1)), ("x", FILE)]))
valid("schema-enum-unused", "unused", "No attribute names the enumeration.", nothing, base=with_map(("c", FILE)))
valid("schema-enum-unused", "shared", "Two attributes name one enumeration.", nothing,
      base=lambda: dense(attrs=[Attribute("a", INT8, enumeration="c"), Attribute("b", INT8, enumeration="c")],
                         enums=[("c", FILE)]))

# --- Together ------------------------------------------------------------------------------------------
invalid("schema-names-unique", "attributes", "Two attributes of one name.", nothing,
        base=lambda: dense(attrs=[Attribute("a"), Attribute("a", FLOAT64)]))
invalid("schema-names-unique", "attribute-and-dimension", "An attribute has the name of a dimension.", nothing,
        base=lambda: dense(attrs=[Attribute("rows")]))
invalid("schema-names-unique", "dimensions", "Two dimensions of one name.", nothing,
        base=lambda: dense(dims=[Dimension("d"), Dimension("d")]))
invalid("schema-names-unique", "label-and-attribute", "A label has the name of an attribute.", nothing,
        base=lambda: dense(labels=[Label("a")]))
invalid("schema-names-unique", "empty", "Two attributes have no name.", nothing,
        base=lambda: dense(attrs=[Attribute(""), Attribute("", FLOAT64)]))
invalid("schema-dense-needs-attr", "none", "A dense array without attributes.", nothing,
        base=lambda: dense(attrs=[]))
valid("schema-sparse-without-attr", "none", "A sparse array without attributes.", nothing,
      base=lambda: sparse(attrs=[]))
invalid("schema-end", "one-byte", "A byte follows the last attribute of version 11.", tail(b"\0"), base=of(11),
        ambiguity="trailing-bytes")
invalid("schema-end", "four-bytes", "Four zero bytes follow the current domain.", tail(bytes(4)))
invalid("schema-end", "22-as-21", "A schema of version 22 with the number 21.", lambda f: setattr(f, "layout", 22),
        base=of(21))
ordered = lambda **o: (lambda: dense(attrs=[Attribute("label", FLOAT64, order=1)], dims=[Dimension("index")], **o))
valid("schema-ordered-attr-dense-1d", "label-array", "The array of a label.", nothing, base=ordered(),
      keeps=["attr-order", "attr-ordered-cell-val-num", "attr-ordered-datatype", "attr-ordered-not-nullable"])
invalid("schema-ordered-attr-dense-1d", "sparse", "An increasing attribute of a sparse array.", nothing,
        base=lambda: sparse(attrs=[Attribute("a", order=1)], dims=[Dimension("d")]))
invalid("schema-ordered-attr-dense-1d", "two-dimensions", "A decreasing attribute of an array of two dimensions.",
        nothing, base=lambda: dense(attrs=[Attribute("a", order=2)], dims=[Dimension("x"), Dimension("y")]))
DD = lambda number: Pipeline(delta(DOUBLE_DELTA) if number >= 20 else compressor(DOUBLE_DELTA), compressor(ZSTD))
valid("coords-double-delta-real", "own-filters", "A floating-point dimension has filters of its own.", nothing,
      base=lambda: sparse(dims=[Dimension("x", FLOAT64, (0.0, 1.0), 0.5, Pipeline(compressor(ZSTD)))], coords=DD(22)))
valid("coords-double-delta-real", "integers", "Double delta for integer coordinates.", nothing,
      base=lambda: dense(coords=DD(22)))
invalid("coords-double-delta-real", "inherited", "A floating-point dimension inherits double delta.", nothing,
        base=lambda: sparse(dims=[Dimension("x", FLOAT64, (0.0, 1.0), 0.5)], coords=DD(22)))
invalid("coords-double-delta-real", "version-3", "Double delta for a FLOAT32 domain in version 3.", nothing,
        base=lambda: Schema(3, SPARSE, dims=[Dimension("x", FLOAT32, (0.0, 1.0), 0.5)], coords=DD(3)))
place = lambda number, *filters: (lambda: Schema(number, SPARSE, dims=[Dimension("p", ASCII, None, None)],
                                                 coords=Pipeline(*filters)))
valid("coords-rle-first", "first", "A string dimension inherits RLE and zstd.", nothing,
      base=place(12, compressor(RLE), compressor(ZSTD)))
valid("coords-rle-first", "version-8", "RLE behind zstd in version 8.", nothing,
      base=place(8, compressor(ZSTD), compressor(RLE)))
invalid("coords-rle-first", "second", "A string dimension inherits zstd and RLE.", nothing,
        base=place(12, compressor(ZSTD), compressor(RLE)))
for slug, datatype, number in (("bool-in-14", BOOL, 14), ("date-in-3", DATETIME_DAY, 3), ("blob-in-11", BLOB, 11),
                               ("geometry-in-21", GEOM_WKB, 21)):
    valid("datatype-since", slug, "A datatype in the first version that has it.", nothing,
          base=version(number, attrs=[Attribute("a", datatype)]))
for slug, datatype, number in (("bool-in-13", BOOL, 13), ("time-in-5", TIME_NS, 5), ("geometry-in-20", GEOM_WKB, 20),
                               ("date-in-2", DATETIME_DAY, 2)):
    invalid("datatype-since", slug, f"A datatype in version {number}, before there was one.", nothing,
            base=version(number, attrs=[Attribute("a", datatype)]))
invalid("datatype-since", "domain-in-2", "A domain of dates in version 2.", nothing,
        base=version(2, dims=[Dimension("d", DATETIME_DAY, (0, 9), 10)]))
valid("name-text", "umlauts", "Names in UTF-8.", nothing, base=lambda: dense(attrs=[Attribute("größe")]))
for slug, name in (("latin-1", "größe".encode("latin-1")), ("nul", b"a\0b"), ("surrogate", b"\xed\xa0\x80")):
    invalid("name-text", slug, "The name of an attribute is not UTF-8 without NUL.", nothing,
            base=lambda name=name: dense(attrs=[Attribute(name)]))
invalid("name-text", "enumeration", "The name of an enumeration is not UTF-8.", nothing,
        base=with_map((b"\xff", FILE)))
