"""Domains and dimensions."""

from generators.tiledb import *

NAN, INF = float("nan"), float("inf")


def dim(*arguments, number=22, array_type=None, filters=None, **options):
    """A schema with this dimension: dense where it can be."""
    def base():
        made = Dimension(*arguments, filters=filters, **options)
        kind = array_type
        if kind is None:
            kind = SPARSE if made.datatype in (FLOAT32, FLOAT64, ASCII) or made.extent is None else DENSE
        return Schema(number, kind, dims=[made])
    return base


def ranged(datatype, low, high, extent, **options):
    return dim("d", datatype, (low, high), extent, **options)


string = dim("place", ASCII, None, None)

# --- Domain --------------------------------------------------------------------------------------------
valid("domain-complete", "version-3", "A domain of version 3, with its datatype.", nothing, base=version(3),
      keeps=["domain-datatype-known", "domain-datatype-allowed", "domain-dim-count"])
invalid("domain-complete", "cut", "The schema ends after the offsets filters.", cut("domain.datatype"),
        base=version(4))
invalid("domain-complete", "count-cut", "The schema ends inside the number of dimensions.", cut("domain.count", 2))
for number in (44, 255):
    invalid("domain-datatype-known", f"{number}", f"The datatype of a version 3 domain is {number}.",
            put({"domain.datatype": number}), base=version(3))
valid("domain-datatype-allowed", "float32", "A sparse FLOAT32 domain in version 3.", nothing,
      base=ranged(FLOAT32, 0.0, 1.0, 0.5, number=3))
one_byte = version(4, lambda n: Schema(n, SPARSE, dims=[Dimension("d", UINT8, (1, 4), 4)]))
for slug, number in (("char", CHAR), ("ascii", ASCII), ("any", ANY)):
    invalid("domain-datatype-allowed", slug, "A domain of a datatype that dimensions do not have.",
            put({"domain.datatype": number}), base=one_byte)
invalid("domain-datatype-allowed", "bool", "A BOOL domain.", put({"domain.datatype": BOOL}), base=one_byte,
        also=["datatype-since"])
for slug, kind in (("sparse", SPARSE), ("dense", DENSE)):
    invalid("domain-dim-count", slug, "There is no dimension.", nothing,
            base=lambda kind=kind: Schema(22, kind, dims=[]))
valid("domain-dim-count-fits", "fourteen", "Fourteen dimensions.", nothing,
      base=lambda: dense(dims=[Dimension(f"d{i}") for i in range(14)]), keeps=["domain-dense-same-type"])
for number in (0xFFFFFFFF, 100000):
    invalid("domain-dim-count-fits", f"{number}", f"There are {number} dimensions.",
            put({"domain.count": number}))
valid("domain-dense-same-type", "sparse", "A sparse array of INT64 and strings.", nothing, base=sparse)
for slug, first, second in (("int32-int64", INT32, INT64), ("uint64-date", UINT64, DATETIME_NS)):
    invalid("domain-dense-same-type", slug, "A dense array of two datatypes.", nothing,
            base=lambda first=first, second=second: dense(dims=[
                Dimension("x", first), Dimension("y", second)]))
valid("domain-dense-integral", "date", "A dense array over days.", nothing, base=ranged(DATETIME_DAY, 0, 9, 10))
invalid("domain-dense-integral", "float64", "A dense array over FLOAT64.", nothing,
        base=ranged(FLOAT64, 0.0, 9.0, 1.0, array_type=DENSE))
invalid("domain-dense-integral", "ascii", "A dense array over strings.", nothing,
        base=dim("d", ASCII, None, None, array_type=DENSE))
invalid("domain-dense-integral", "float32-in-4", "A dense array over FLOAT32 in version 4.", nothing,
        base=ranged(FLOAT32, 0.0, 9.0, 1.0, array_type=DENSE, number=4))

# --- Layout of a dimension -----------------------------------------------------------------------------
valid("dim-name-length", "four", "A name of four bytes.", nothing,
      keeps=["dim-complete", "dim-domain-fits", "dim-domain-size", "dim-null-extent-flag", "dim-extent-fits",
             "dim-datatype-known", "dim-datatype-allowed", "dim-cell-val-num", "dim-var-is-string",
             "dim-dense-extent"])
invalid("dim-name-length", "largest", "The length is 4294967295.", put({"dim 0.name size": 0xFFFFFFFF}))
invalid("dim-name-length", "one-past", "The name ends one byte behind the schema.",
        lambda f: f.__setitem__("dim 0.name size", len(f.content()) - sum(
            len(content) for _, content in f.named_fields()[:[n for n, _ in f.named_fields()].index("dim 0.name")]) + 1))
long_name = lambda: dense(dims=[Dimension("r" * 40)])
for slug, field, inside in (("after-name", "dim 0.datatype", 0), ("domain-size", "dim 0.domain size", 4),
                            ("null-flag", "dim 0.null flag", 0)):
    invalid("dim-complete", slug, "The schema ends inside a dimension.", cut(field, inside), base=long_name)
invalid("dim-domain-fits", "largest", "The domain has 2^64 - 1 bytes.", put({"dim 0.domain size": 2**64 - 1}))
invalid("dim-domain-fits", "cut-in-3", "The schema of version 3 ends inside the domain.", cut("dim 0.domain", 5),
        base=version(3))
invalid("dim-domain-fits", "one-more", "The domain has one byte more than what is left.",
        all_of(cut("dim 0.null flag"), put({"dim 0.domain size": 9})), base=long_name)
invalid("dim-extent-fits", "cut", "The schema ends inside the tile extent.", cut("dim 0.extent", 3),
        base=long_name)
for number in (44, 200, 255):
    invalid("dim-datatype-known", f"{number}", f"The datatype is {number}.", put({"dim 0.datatype": number}))
invalid("dim-datatype-known", "without-extent", "An unknown datatype without a tile extent.",
        put({"dim 0.datatype": 44}), base=string)
for slug, datatype in (("char", CHAR), ("utf8", UTF8), ("any", ANY), ("blob", BLOB), ("bool", BOOL)):
    invalid("dim-datatype-allowed", slug, "A datatype that dimensions do not have.", nothing,
            base=dim("d", datatype, (1, 4), 4, array_type=SPARSE))
for number in (0, 2, VAR - 1):
    invalid("dim-cell-val-num", f"{number}", f"{number} values per cell.", put({"dim 0.cell val num": number}))
invalid("dim-var-is-string", "int64", "INT64 of variable size.", nothing,
        base=dim("d", INT64, None, None, cell_val_num=VAR))
invalid("dim-var-is-string", "ascii", "Strings of fixed size.", nothing,
        base=dim("d", ASCII, None, None, cell_val_num=1))
invalid("dim-var-is-string", "float32", "FLOAT32 of variable size.", nothing,
        base=dim("d", FLOAT32, None, None, cell_val_num=VAR))

# --- Values --------------------------------------------------------------------------------------------
for slug, datatype, content in (("int32-4", INT32, bytes(4)), ("int32-16", INT32, bytes(16)), ("int64-0", INT64, b""),
                                ("uint8-3", UINT8, bytes(3))):
    invalid("dim-domain-size", slug, f"A domain of {len(content)} bytes.",
            lambda f, content=content: setattr(f.dims[0], "domain", content),
            base=ranged(datatype, 1, 4, 4))
valid("dim-string-domain-empty", "empty", "A string dimension without a domain.", nothing, base=string,
      keeps=["dim-var-is-string", "dim-string-extent-null", "dim-null-extent-flag"])
invalid("dim-string-domain-empty", "two-bytes", "A string dimension with a domain of 2 bytes.",
        lambda f: setattr(f.dims[0], "domain", b"az"), base=string, ambiguity="string-domain")
valid("dim-domain-ordered", "one-value", "A domain of one value.", nothing, base=ranged(INT32, 7, 7, 1),
      keeps=["dim-extent-within-domain", "dim-extent-positive"])
for slug, datatype, low, high in (("int32", INT32, 10, 1), ("uint64", UINT64, 1, 0), ("int64", INT64, 0, -1),
                                  ("float64", FLOAT64, 1.0, 0.5), ("uint32", UINT32, 0x80000000, 1)):
    invalid("dim-domain-ordered", slug, f"The domain is [{low}, {high}].", nothing,
            base=ranged(datatype, low, high, 0.5 if datatype == FLOAT64 else 1))
valid("dim-domain-ordered", "unsigned", "UINT32 from 1 to 2^31.", nothing, base=ranged(UINT32, 1, 0x80000000, 1))
valid("dim-domain-finite", "degrees", "FLOAT64 from -180 to 180.", nothing, base=ranged(FLOAT64, -180.0, 180.0, 1.0))
for slug, low, high in (("nan", NAN, 1.0), ("infinity", 0.0, INF), ("minus-infinity", -INF, 0.0)):
    invalid("dim-domain-finite", slug, f"The domain is [{low}, {high}].", nothing,
            base=ranged(FLOAT64, low, high, 1.0))
valid("dim-domain-not-full", "one-less", "UINT64 without its greatest value.", nothing,
      base=ranged(UINT64, 0, 2**64 - 2, 1), keeps=["dim-extent-expansion"])
for slug, datatype, number in (("uint8-in-3", UINT8, 3), ("uint32-in-8", UINT32, 8)):
    valid("dim-domain-not-full", slug, "All values of a small datatype, before version 9.", nothing,
          base=ranged(datatype, 0, 2**(8 * width_of(datatype)) - 1, 1, number=number))
for slug, datatype, low, high, number in (
        ("uint64", UINT64, 0, 2**64 - 1, 22), ("int8-in-9", INT8, -128, 127, 9), ("uint8", UINT8, 0, 255, 22),
        ("date", DATETIME_NS, -2**63, 2**63 - 1, 22), ("int32-in-5", INT32, -2**31, 2**31 - 1, 5)):
    invalid("dim-domain-not-full", slug, "The domain has all values of the datatype.", nothing,
            base=ranged(datatype, low, high, 1, number=number))

# --- Tile extents --------------------------------------------------------------------------------------
for number in (2, 255):
    invalid("dim-null-extent-flag", f"{number}", f"The flag is {number}.", put({"dim 0.null flag": number}),
            base=string)
invalid("dim-null-extent-no-bytes", "bytes", "The flag is 1, and four bytes of a tile extent follow.",
        put({"dim 0.null flag": 1}), base=dim(array_type=SPARSE), alias="schema-attr-count-fits",
        ambiguity="null-tile-extent")
valid("dim-extent-positive", "all-ff", "The widest date domain, with its size as the extent.", nothing,
      base=ranged(DATETIME_NS, -2**63 + 1, 2**63 - 1, bytes([255] * 8)), ambiguity="signed-extent")
valid("dim-extent-positive", "int8-255", "INT8 from -128 to 126, with the extent 255.", nothing,
      base=ranged(INT8, -128, 126, b"\xff"), ambiguity="signed-extent")
valid("dim-extent-positive", "float-0", "A FLOAT64 domain of one point, with the extent 0.", nothing,
      base=ranged(FLOAT64, 2.5, 2.5, 0.0), ambiguity="signed-extent")
for slug, datatype, low, high, extent in (
        ("int32-0", INT32, 1, 4, 0), ("int64-negative", INT64, 0, 99, -4), ("float64-0", FLOAT64, 0.0, 1.0, 0.0),
        ("float32-nan", FLOAT32, 0.0, 1.0, NAN), ("float64-infinity", FLOAT64, 0.0, 10.0, INF),
        ("int8-minus-1", INT8, 0, 100, -1), ("float64-negative", FLOAT64, 0.0, 1.0, -1.0)):
    invalid("dim-extent-positive", slug, f"The tile extent is {extent}.", nothing,
            base=ranged(datatype, low, high, extent))
for slug, datatype, low, high, extent in (("int32", INT32, 1, 4, 5), ("float64", FLOAT64, 0.0, 10.0, 100.0),
                                          ("uint8", UINT8, 0, 9, 200)):
    invalid("dim-extent-within-domain", slug, "The tile extent is larger than the domain.", nothing,
            base=ranged(datatype, low, high, extent))
valid("dim-extent-within-domain", "float-one-more", "The extent of a FLOAT64 domain is its size and one.", nothing,
      base=ranged(FLOAT64, 0.0, 10.0, 11.0))
valid("dim-extent-expansion", "uint64", "The last tile ends at the greatest value.", nothing,
      base=ranged(UINT64, 0, 2**64 - 1 - 1000, 1000))
valid("dim-extent-expansion", "int64-in-4", "The last tile exceeds INT64 in version 4.", nothing,
      base=ranged(INT64, 0, 2**63 - 2, 1000, number=4), ambiguity="extent-overflow")
valid("dim-extent-expansion", "int32", "The last tile exceeds INT32.", nothing,
      base=ranged(INT32, 0, 2**31 - 1, 10), ambiguity="extent-overflow")
for slug, datatype, high, extent, number in (("int64-in-10", INT64, 2**63 - 2, 1000, 10),
                                             ("uint64", UINT64, 2**64 - 2, 7, 22),
                                             ("date-in-6", DATETIME_NS, 2**63 - 2, 365, 6)):
    invalid("dim-extent-expansion", slug, "The last tile exceeds the datatype.", nothing,
            base=ranged(datatype, 0, high, extent, number=number), ambiguity="extent-overflow")
invalid("dim-string-extent-null", "one-byte", "A string dimension has a tile extent.", nothing,
        base=dim("d", ASCII, None, 7))
invalid("dim-dense-extent", "null", "A dense dimension without tile extent.",
        lambda f: setattr(f.dims[0], "extent", None))
valid("dim-filters-inherit", "empty", "An empty pipeline inherits the coordinates filters.", nothing, base=sparse)
valid("dim-filters-inherit", "own", "A pipeline that differs from the coordinates filters.", nothing,
      base=dim("d", INT32, (1, 4), 4, filters=Pipeline(compressor(GZIP, 6))))
valid("dim-reserved-name", "dim-0", "Dimensions that are called __dim_0 and __dim_1.", nothing,
      base=lambda: dense(dims=[Dimension("__dim_0"), Dimension("__dim_1")]))
