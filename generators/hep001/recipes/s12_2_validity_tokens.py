"""HEP001 12.2 (2026-07-09), validity tokens, and what an index that they disable may hold."""

from generators.hep001 import *
from generators.hep001.recipes.s10_4_chunk_minmax import index, over

valid, invalid = valid_since_newer, invalid_since_newer
INTEGERS = over(I32, [5, 3, -1, INT32_FILL, 9, 9, 2], INT32_FILL)
TOKENS = ("SOURCE_GENERATION", "SOURCE_NROWS")


def torn(t):
    """Spoils the contents of the index that a table of over() has."""
    i = index(t)
    if i.kind == "CHUNK_MINMAX":
        i.values[0].update(min=-99, fill_count=7, n=9)
    elif i.kind == "SORTED_ROWS":
        i.values[:2] = [0, 0]
    else:
        i.values[0][0] ^= 0xFF


def found(t):
    """What the contents that torn() leaves break when they count."""
    return {"CHUNK_MINMAX": {"minmax-min-value", "minmax-fill-count-value", "minmax-n-full-chunk"},
            "SORTED_ROWS": {"sorted-permutation"},
            "BITMAP": {"bitmap-bit-set", "bitmap-bit-clear"},
            "CHUNK_BLOOM": {"bloom-membership"}}[t]


VALUES = [5, 3, -1, INT32_FILL, 9, 9, 2, 4, 8]
FAMILIES = {kind: over(I32, VALUES, INT32_FILL, kind=kind,
                       indexed=[5, 3, 9] if kind == "BITMAP" else None)
            for kind in ("CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM")}


# Stale pairs: the same contents, with tokens that agree and with tokens that do not

for kind, base in FAMILIES.items():
    short = kind.lower().replace("_", "-")

    @invalid("valid-index-content-correct", f"torn-{short}", f"The contents of {kind} are wrong, "
             "and its tokens agree.", base=base, fails=found(kind), alias=min(found(kind)))
    def agreeing(t):
        torn(t)

    for token, now, word in (("SOURCE_GENERATION", GENERATION, "generation"),
                             ("SOURCE_NROWS", len(VALUES), "nrows")):
        for change, side in ((-1, "lower"), (1, "higher")):
            @valid("stale-index-accepted", f"{short}-{word}-{side}", f"The contents of {kind} are "
                   f"wrong; {token} is {now + change}, and the table's is {now}.", base=base)
            def disagreeing(t, token=token, value=now + change):
                torn(t)
                index(t).attrs[token] = uint64(value)


@valid("stale-index-accepted", base=FAMILIES["SORTED_ROWS"])
def shorter_than_the_table(t):
    "SORTED_ROWS of 4 elements, made when the table had 4 rows."
    index(t).values = [2, 1, 0, 3]
    index(t).attrs["SOURCE_NROWS"] = uint64(4)


@valid("stale-index-accepted", base=FAMILIES["BITMAP"])
def bitmap_of_nothing(t):
    "A stale BITMAP has no byte columns, another number of rows than values, and a value twice."
    index(t).values, index(t).shape = [], (5, 0)
    index(t).indexed.values = [5, 5, 9]
    index(t).attrs["SOURCE_GENERATION"] = uint64(0)


@valid("stale-index-accepted", base=FAMILIES["CHUNK_BLOOM"])
def bloom_of_another_size(t):
    "m_bits of a stale CHUNK_BLOOM is not that of its rows, and there are too few of them."
    index(t).values = index(t).values[:1]
    index(t).attrs["m_bits"] = uint64(128)
    index(t).attrs["SOURCE_GENERATION"] = uint64(2**64 - 1)


@valid("stale-index-accepted", base=FAMILIES["SORTED_ROWS"])
def tail_lengths(t):
    "Tail lengths of a stale SORTED_ROWS exceed the table."
    index(t).attrs.update(nan_tail_length=uint64(99), fill_tail_length=uint64(99))
    index(t).attrs["SOURCE_NROWS"] = uint64(200)


@valid("stale-index-accepted", base=over(F64, [NAN, 1.0, FLOAT_FILL], FLOAT_FILL, kind="SORTED_ROWS",
                                         nrows=0))
def tail_lengths_of_a_former_table(t):
    "The table lost all of its rows; tail lengths of its stale SORTED_ROWS are those of before."
    index(t).attrs.update(nan_tail_length=uint64(1), fill_tail_length=uint64(1))
    index(t).attrs["SOURCE_NROWS"] = uint64(3)


@valid("stale-index-accepted", base=good_table, keeps=["append-unmaintained-index-left"])
def untouched_after_an_append(t):
    "Rows were appended without touching the indexes: all are stale."
    for each in [i for column in t.columns().values() for i in column.indexes]:
        each.values
        each.attrs.update({token: each.attrs[token]() for token in TOKENS})
    t.nrows, t.generation = 14, t.generation + 1
    t.column("label").values[10:14] = [0, 1, 2, 0]
    tails = {name: t.index(name, "SORTED_ROWS") for name in ("ts", "energy")}
    for name, each in tails.items():
        each.attrs.update(nan_tail_length=uint64(0), fill_tail_length=uint64(0))


@invalid("valid-index-content-correct", base=good_table, fails={"sorted-permutation"},
         alias="sorted-permutation")
def torn_index_made_valid(t):
    "A retried append brought the table to the tokens that a torn index bears."
    t.index("ts", "SORTED_ROWS").values[3] = t.index("ts", "SORTED_ROWS").values[4]


# What stands for a stale index too

def still(clause, slug, shows, kind, mutate, **options):
    @invalid(clause, slug, shows, base=FAMILIES[kind], **options)
    def stale(t):
        index(t).values
        index(t).attrs["SOURCE_GENERATION"] = uint64(0)
        mutate(t, index(t))


still("kind-value", "of-a-stale-index", "KIND of a stale index is `bitmap`.", "BITMAP",
      lambda t, i: i.attrs.update(KIND=ascii_text("bitmap")), ambiguity="stale-index-form")
still("index-referenced", "of-a-stale-index", "No column lists a stale index.", "CHUNK_MINMAX",
      lambda t, i: t.column("x").attrs.pop("SEARCH_INDEX_LIST"), ambiguity="stale-index-form")
still("sorted-unsigned", "of-a-stale-index", "A stale SORTED_ROWS is of int64.", "SORTED_ROWS",
      lambda t, i: setattr(i, "type", I64), ambiguity="stale-index-form")
still("sorted-nan-tail-length-uint64", "of-a-stale-index",
      "nan_tail_length of a stale SORTED_ROWS is uint32.", "SORTED_ROWS",
      lambda t, i: i.attrs.update(nan_tail_length=uint32(0)), ambiguity="stale-index-form")
still("bitmap-uint8", "of-a-stale-index", "A stale BITMAP is of int8.", "BITMAP",
      lambda t, i: setattr(i, "type", I8), ambiguity="stale-index-form")
still("bloom-k-present", "of-a-stale-index", "A stale CHUNK_BLOOM lacks k.", "CHUNK_BLOOM",
      lambda t, i: i.attrs.pop("k"), ambiguity="stale-index-form")
still("minmax-min-type", "of-a-stale-index", "min of a stale CHUNK_MINMAX is int64 over int32.",
      "CHUNK_MINMAX",
      lambda t, i: setattr(i, "type", compound({"min": I64, "max": I32, "nan_count": U64,
                                                "fill_count": U64, "n": U64})),
      ambiguity="stale-index-form")


# The attributes

def token(clause, slug, shows, mutate, base=INTEGERS, **options):
    """An index that is disabled for it: what it holds is wrong, and not judged."""
    @invalid(clause, slug, shows, base=base, **options)
    def disabled(t):
        torn(t)
        mutate(t, index(t))


for kind in FAMILIES:
    short = kind.lower().replace("_", "-")
    for name in TOKENS:
        token(f"{name.lower().replace('_', '-')}-present", short, f"A {kind} lacks {name}.",
              lambda t, i, name=name: i.attrs.pop(name), FAMILIES[kind])

for name in ("GENERATION", *TOKENS):
    clause = name.lower().replace("_", "-")
    where, value = ("of the table" if name == "GENERATION" else "of an index"), \
        7 if name == "SOURCE_NROWS" else GENERATION

    def put(make, name=name):
        return lambda t, i: (t if name == "GENERATION" else i).attrs.update({name: make})

    token(f"{clause}-scalar", "shape-1", f"{name} {where} has shape {{1}}.",
          put(uint64(value).shaped(1)), ambiguity="non-scalar-token")
    token(f"{clause}-scalar", "shape-2", f"{name} {where} has shape {{2}}.",
          put(uint64([value, value])))
    token(f"{clause}-scalar", "null-dataspace", f"{name} {where} has a null dataspace.",
          put(uint64(value).without_value()))
    for slug, type_id in (("int64", I64), ("uint32", U32), ("float64", F64), ("uint128", U128),
                          ("63-bit", odd_width(U64, 63))):
        token(f"{clause}-uint64", slug, f"{name} {where} is of {slug}, the number is right.",
              put(attribute(type_id, value)))
    token(f"{clause}-uint64", "text", f"{name} {where} is a string.", put(text(str(value))))

token("source-generation-present", "in-lower-case", "An index has `source_generation` instead.",
      lambda t, i: i.attrs.update(source_generation=i.attrs.pop("SOURCE_GENERATION")),
      fails={"source-generation-present"})
token("source-nrows-present", "source-rows", "An index has `SOURCE_ROWS` instead.",
      lambda t, i: i.attrs.update(SOURCE_ROWS=i.attrs.pop("SOURCE_NROWS")))
token("generation-present", "absent", "A table with an index lacks GENERATION.",
      lambda t, i: t.attrs.pop("GENERATION"))
token("generation-present", "in-lower-case", "The table has `generation` instead.",
      lambda t, i: t.attrs.update(generation=t.attrs.pop("GENERATION")),
      fails={"generation-present"})
token("generation-present", "on-search-indexes", "GENERATION is on SEARCH_INDEXES instead.",
      lambda t, i: t.search_indexes.attrs.update(GENERATION=t.attrs.pop("GENERATION")),
      fails={"generation-present", "reserved-attribute-misuse"})


@invalid("source-nrows-present", "all-tokens-absent", base=good_table,
         fails={"generation-present", "source-generation-present", "source-nrows-present"})
def table_of_the_older_revision(t):
    "No token anywhere, as in a table of 2026-06-16; wrong contents are not judged."
    t.index("ts", "SORTED_ROWS").values[0] = 5
    without_tokens(t)


@invalid("source-generation-present", base=good_table)
def second_of_two(t):
    "The second of a column's two indexes lacks SOURCE_GENERATION."
    del t.index("ts", "SORTED_ROWS").attrs["SOURCE_GENERATION"]


@invalid("source-generation-present", base=good_table,
         fails={"source-generation-present", "source-nrows-present"}, warns={"kind-value"},
         ambiguity="tokens-of-an-unknown-kind")
def of_an_unknown_kind(t):
    "An index of a KIND that another HEP may define lacks both tokens."
    i = t.add_index("row_id", "SORTED_ROWS", "row_id__zones")
    i.attrs["KIND"] = ascii_text("CHUNK_ZONEMAP")
    for name in TOKENS:
        del i.attrs[name]


@invalid("nrows-uint64", "with-an-index", base=INTEGERS)
def nrows_disables(t):
    "NROWS is int64; the index is disabled, and its wrong contents are not judged."
    torn(t)
    t.attrs["NROWS"] = int64(7)


@valid("generation-uint64", base=good_table,
       keeps=["generation-present", "generation-scalar", "source-generation-present",
              "source-generation-scalar", "source-generation-uint64", "source-nrows-present",
              "source-nrows-scalar", "source-nrows-uint64", "any-byte-order",
              "valid-index-content-correct"])
def big_endian(t):
    "All tokens are big-endian, GENERATION is 2^64 - 1, and every index is valid."
    t.generation = 2**64 - 1
    t.attrs["GENERATION"] = attribute(U64BE, t.generation)
    for each in [i for column in t.columns().values() for i in column.indexes]:
        each.attrs["SOURCE_GENERATION"] = attribute(U64BE, t.generation)
        each.attrs["SOURCE_NROWS"] = attribute(U64BE, t.nrows)


@invalid("valid-index-content-correct", "big-endian-tokens", base=INTEGERS,
         fails=found("CHUNK_MINMAX"), alias="minmax-min-value")
def byte_order_closes_no_gate(t):
    "Tokens of another byte order agree, and the contents are wrong."
    torn(t)
    index(t).attrs["SOURCE_GENERATION"] = attribute(U64BE, GENERATION)
    t.attrs["NROWS"] = attribute(U64BE, t.nrows)


@invalid("valid-index-content-correct", "generation-zero", base=INTEGERS,
         fails=found("CHUNK_MINMAX"), alias="minmax-min-value")
def zero_is_a_generation(t):
    "GENERATION and SOURCE_GENERATION are 0, and the contents are wrong."
    t.generation = 0
    torn(t)


@valid("source-nrows-present", base=good_table)
def values_dataset_without_tokens(t):
    "The values dataset of a bitmap bears no token."


for number in (None, 0, 17, 2**64 - 1):
    slug = "absent" if number is None else "largest" if number == 2**64 - 1 else str(number)

    @valid("generation-optional-without-indexes", slug, f"No search index, GENERATION {slug}.",
           keeps=["generation-present"])
    def without_indexes(t, number=number):
        if number is not None:
            t.attrs["GENERATION"] = uint64(number)


@valid("generation-present", base=small_table)
def nothing_with_kind(t):
    "SEARCH_INDEXES is empty, and there is no GENERATION."
    t.search_indexes


@invalid("accompanying-no-kind", "alone", base=FAMILIES["BITMAP"],
         fails={"accompanying-no-kind"})
def values_with_kind(t):
    "The values dataset of a bitmap has KIND; no tokens are asked of it."
    index(t).indexed.attrs["KIND"] = ascii_text("SORTED_ROWS")


def misplaced(slug, shows, owner, name):
    @invalid("reserved-attribute-misuse", slug, shows, base=good_table)
    def mutate(t):
        owner(t).attrs[name] = uint64(10)


misplaced("source-nrows-on-values", "The values dataset of a bitmap carries SOURCE_NROWS.",
          lambda t: t.index("label", "BITMAP").indexed, "SOURCE_NROWS")
misplaced("source-generation-on-a-column", "A column carries SOURCE_GENERATION.",
          lambda t: t.column("ts"), "SOURCE_GENERATION")
misplaced("generation-on-an-index", "An index carries GENERATION.",
          lambda t: t.index("ts", "SORTED_ROWS"), "GENERATION")


@invalid("names-uppercase", "generation", base=good_table, ambiguity="lower-case-variants")
def generation_twice(t):
    "The table has an attribute `generation` next to GENERATION."
    t.attrs["generation"] = uint64(3)


@invalid("names-uppercase", "source-nrows", base=good_table, ambiguity="lower-case-variants")
def source_nrows_twice(t):
    "An index has an attribute `source_nrows` next to SOURCE_NROWS."
    t.index("ts", "SORTED_ROWS").attrs["source_nrows"] = uint64(3)


for name in ("GENERATION", "MASK", "OFFSETS"):
    @invalid("reserved-search-index-name", name.lower(), f"A search-index dataset is named {name}.",
             base=good_table, ambiguity="any-name-but-reserved")
    def index_named(t, name=name):
        t.search_indexes.rename("ts__chunk_minmax", name)

for name in ("COLUMN_TABLE", "STRING_VALUES"):
    @invalid("reserved-search-index-name", name.lower().replace("_", "-"),
             f"A search-index dataset is named {name}.", base=good_table,
             ambiguity="kind-tokens-as-names", fails=set(), warns={"reserved-search-index-name"})
    def index_named_by_token(t, name=name):
        t.search_indexes.rename("ts__chunk_minmax", name)


@invalid("kind-value", "offsets", base=good_table)
def offsets_as_kind(t):
    "KIND of an index is OFFSETS."
    t.index("ts", "CHUNK_MINMAX").attrs["KIND"] = ascii_text("OFFSETS")


# What writers leave behind

def future(t, generation, nrows):
    """Fixes every index to these tokens, whatever the table becomes."""
    for each in [i for column in t.columns().values() for i in column.indexes]:
        each.values
        tails = indexes_tails(each)
        each.attrs.update(SOURCE_GENERATION=uint64(generation), SOURCE_NROWS=uint64(nrows), **tails)


def indexes_tails(each):
    return {name: each.attrs[name]() for name in ("nan_tail_length", "fill_tail_length")
            if name in each.attrs}


@valid("crash-residue-readable", "future-tokens", base=good_table,
       keeps=["stale-index-accepted"])
def died_in_step_4(t):
    "An append of 4 rows died among its indexes: future tokens, one of them torn; NROWS is old."
    future(t, t.generation + 1, 14)
    t.index("ts", "SORTED_ROWS").values = [0] * 14
    t.index("ts", "CHUNK_MINMAX").values[2].update(min=1, max=0, n=4)


@valid("crash-residue-readable", "after-step-5", base=good_table)
def died_after_step_5(t):
    "An append died after GENERATION was written: NROWS is old, and the tokens are of the new state."
    future(t, t.generation + 1, 14)
    t.generation += 1


@valid("crash-between-generation-and-nrows", base=INTEGERS)
def generation_first(t):
    "GENERATION is of the new state, NROWS of the old; one index has the new tokens, one the old."
    t.add_index("x", "SORTED_ROWS").values
    t.column("x").values += [1, 2, 3]
    for kind, generation, nrows in (("CHUNK_MINMAX", GENERATION + 1, 10),
                                    ("SORTED_ROWS", GENERATION, 7)):
        t.index("x", kind).values
        t.index("x", kind).attrs.update(SOURCE_GENERATION=uint64(generation),
                                        SOURCE_NROWS=uint64(nrows))
    t.generation += 1


@valid("crash-between-generation-and-nrows", base=INTEGERS)
def nrows_first(t):
    "NROWS is of the new state, GENERATION of the old: no index passes the check."
    t.add_index("x", "SORTED_ROWS").values
    tails = indexes_tails(t.index("x", "SORTED_ROWS"))
    t.column("x").values += [1, 2, 3]
    for kind, generation, nrows in (("CHUNK_MINMAX", GENERATION + 1, 10),
                                    ("SORTED_ROWS", GENERATION, 7)):
        t.index("x", kind).values
        t.index("x", kind).attrs.update(SOURCE_GENERATION=uint64(generation),
                                        SOURCE_NROWS=uint64(nrows))
    t.index("x", "SORTED_ROWS").attrs.update(tails)
    t.nrows = 10
