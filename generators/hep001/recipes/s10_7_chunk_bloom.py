"""HEP001 10.7, CHUNK_BLOOM: form, attributes, hashing, membership."""

import unicodedata

from generators.hep001 import *
from generators.hep001.other_hashes import murmur3_x86_128, xxhash64
from generators.hep001.values import canonical_bytes as canonical, encode
from generators.hep001.recipes.s10_4_chunk_minmax import index, over as over_kind


def over(type_id, values, fill, **options):
    return over_kind(type_id, values, fill, kind="CHUNK_BLOOM", **options)


NUMBERS = over(I32, [5, 3, -1, INT32_FILL, 9, 3, 7], INT32_FILL, m_bits=256)
REALS = over(F64, [1.5, NAN, -2.0, FLOAT_FILL, 4.0, 0.5, 7.0], FLOAT_FILL, m_bits=256)
WORDS = over(string(8), ["muon", "pion", "", "kaon", "eta"], "", m_bits=256)


def three_bytes():
    type_id = odd_width(I32, 24)
    type_id.set_size(3)
    return type_id


# --- which columns -------------------------------------------------------------------------------

def unhashable(clause, slug, type_id, values, fill, what, **options):
    def base():
        t = Table("/events", nrows=len(values))
        t.add_column("x", type_id, values, fill=fill, chunk=4, maxshape=(None,))
        t.add_column("y", I32, [1, 2, 3], fill=INT32_FILL, chunk=4, maxshape=(None,))
        i = t.add_index("y", "CHUNK_BLOOM")
        i.values
        t.column("y").indexes.remove(i)
        del t.column("y").attrs["SEARCH_INDEX_LIST"]
        t.column("x").attrs["SEARCH_INDEX_LIST"] = refs([i])
        return t
    invalid(clause, slug, f"CHUNK_BLOOM over a column of {what}.", base=base,
            **options)(lambda t: None)


unhashable("bloom-type", "time", TIME32, [1, 2, 3], 0, "H5T_TIME")
unhashable("bloom-type", "bitfield", B8, [1, 2, 3], 255, "bitfields")
unhashable("bloom-type", "odd-width", odd_width(I32, 24), [1, 2, 3], -7, "24-bit integers",
           ambiguity="integers-with-canonical-bytes")
unhashable("bloom-type", "three-bytes", three_bytes(), [1, 2, 3], -7, "integers of three bytes",
           ambiguity="integers-with-canonical-bytes")
unhashable("bloom-type", "long-double", LONG_DOUBLE, [bytes(16)] * 3, b"\1" + bytes(15),
           "80-bit floats", ambiguity="floats-with-an-order")
unhashable("bloom-no-composite-column", "enum", enum({"A": 0, "B": 1, "MISSING": 2}), [0, 1, 0], 2,
           "an enumeration", until=OLDER)
unhashable("bloom-no-composite-column", "compound", compound({"a": I32, "b": I32}), [(1, 2)] * 3,
           (0, 0), "compounds")
unhashable("bloom-no-composite-column", "array", array(I32, 2), [[1, 2]] * 3, [0, 0], "arrays")
unhashable("bloom-no-composite-column", "sequence", sequence(I32), [[1], [2, 3], []], [],
           "variable-length sequences", fails={"bloom-no-composite-column"},
           informs={"prefer-fixed-length"}, revised=newer(informs={"prefer-list-column"}))


def reference_column(slug, reference_type, target):
    def base():
        t = Table("/events", nrows=2)
        t.add_column("y", I32, [1, 2], fill=INT32_FILL, chunk=4, maxshape=(None,))
        i = t.add_index("y", "CHUNK_BLOOM")
        i.values
        t.column("y").indexes.remove(i)
        del t.column("y").attrs["SEARCH_INDEX_LIST"]
        t.add_column("x", reference_type, [NULL, NULL], fill=NULL, chunk=4, maxshape=(None,))
        t.column("x").attrs["SEARCH_INDEX_LIST"] = refs([i])
        return t
    invalid("bloom-no-reference-column", slug, f"CHUNK_BLOOM over a column of {target}.",
            base=base)(lambda t: None)


reference_column("object", REF_OBJ, "object references")
reference_column("region", REF_REGION, "region references")


def hashed(clause, slug, shows, type_id, values, fill, **options):
    extra = {key: options.pop(key) for key in ("k", "m_bits", "seed", "chunk") if key in options}
    valid(clause, slug, shows, base=over(type_id, values, fill, **{"m_bits": 128, **extra}),
          **options)(lambda t: None)


# --- form ----------------------------------------------------------------------------------------

def flat(t):
    return [b for row in index(t).values for b in row]


@invalid("bloom-rank-2", base=NUMBERS)
def rank_one(t):
    "The filters have rank 1."
    index(t).values, index(t).shape = flat(t), (64,)


@invalid("bloom-rank-2", base=NUMBERS)
def rank_three(t):
    "The filters have rank 3."
    index(t).shape = (2, 32, 1)


@valid("bloom-rank-2", slug="one-chunk", base=over(I32, [5, 3], INT32_FILL),
       keeps=["bloom-rows-chunked", "bloom-uint8"])
def one_chunk(t):
    "Shape {1, m_bytes}."


@invalid("bloom-rows-chunked", base=NUMBERS)
def one_short(t):
    "One filter for two chunks."
    del index(t).values[1]


@invalid("bloom-rows-chunked", base=NUMBERS)
def empty(t):
    "No filter, although there are rows."
    index(t).values, index(t).shape = [], (0, 32)


@valid("bloom-rows-chunked", slug="exact", base=over(I32, [1, 2, 3, 4, 5, 6, 7, 8], INT32_FILL))
def exact(t):
    "NROWS is a multiple of the chunk length."


CONTIGUOUS = over(I32, [5, 3, 9], INT32_FILL, chunk=None)


@invalid("bloom-rows-contiguous", base=CONTIGUOUS, ambiguity="surplus-entries-not-chunked")
def two_rows(t):
    "Two filters for a contiguous column."
    index(t).values.append(bytearray(8))


@invalid("bloom-rows-contiguous", base=CONTIGUOUS)
def no_row(t):
    "No filter for a contiguous column with rows."
    index(t).values, index(t).shape = [], (0, 8)


@valid("bloom-rows-contiguous", base=CONTIGUOUS, ambiguity="layouts-not-chunked")
def compact(t):
    "A compact column has one filter."
    t.column("x").compact = True


@valid("bloom-residue-rows", base=NUMBERS, ambiguity="surplus-index-entries")
def residue(t):
    "Two more filters than data-bearing chunks."
    index(t).values += [bytearray(b"\xff" * 32)] * 2


@valid("bloom-residue-rows", slug="no-rows", base=over(I32, [5, 3, 9], INT32_FILL, nrows=0),
       ambiguity="surplus-index-entries")
def residue_without_rows(t):
    "NROWS is 0, and filters of a former table remain."
    index(t).values = [bytearray(b"\xff" * 8)] * 3


for slug, shows, type_id, kind, options in (
        ("int8", "int8", I8, invalid, {}), ("uint64", "uint64 words", U64, invalid, {}),
        ("bitfield", "8-bit bitfields", B8, invalid, {}),
        ("big-endian", "H5T_STD_U8BE", U8BE, valid,
         {"ambiguity": "integer-attribute-byte-order"})):
    def retype(t, type_id=type_id):
        values = flat(t)
        index(t).values = [v & 0x7F for v in values] if type_id == I8 else values
        index(t).type, index(t).shape = type_id, (2, 32)
    kind("bloom-uint8", slug, f"The filters are stored as {shows}.", base=NUMBERS,
         **options)(retype)


@invalid("bloom-m-bytes-positive", base=NUMBERS, ambiguity="degenerate-filters")
def no_bytes(t):
    "Shape {2, 0} and m_bits 0."
    index(t).values, index(t).shape = [], (2, 0)
    index(t).attrs["m_bits"] = uint64(0)


@valid("bloom-m-bytes-positive", slug="one-byte", base=over(I32, [5, 3], INT32_FILL, k=1, m_bits=8),
       keeps=["bloom-m-bits-multiple-of-8", "bloom-m-bits-equals-8-m-bytes"])
def one_byte(t):
    "One byte a filter."


def attribute_case(clause, slug, shows, name, value, kind=invalid, **options):
    def mutate(t):
        index(t).values, index(t).shape = index(t).values, (2, 32)
        if value is None:
            del index(t).attrs[name]
        else:
            index(t).attrs[name] = value
    kind(clause, slug, shows, base=NUMBERS, **options)(mutate)


@invalid("bloom-m-bits-multiple-of-8", slug="1001-in-126-bytes",
         base=over(I32, [5, 3, 9], INT32_FILL, m_bits=1008))
def last_byte_not_full(t):
    "m_bits is 1001, and there are 126 byte columns."
    index(t).values, index(t).shape = index(t).values, (1, 126)
    index(t).attrs["m_bits"] = uint64(1001)


attribute_case("bloom-m-bits-multiple-of-8", "1001", "m_bits is 1001.", "m_bits", uint64(1001))
attribute_case("bloom-m-bits-multiple-of-8", "12", "m_bits is 12.", "m_bits", uint64(12))
attribute_case("bloom-m-bits-equals-8-m-bytes", "bytes", "m_bits is the number of byte columns.",
               "m_bits", uint64(32))
attribute_case("bloom-m-bits-equals-8-m-bytes", "more", "m_bits is 8 too many.", "m_bits",
               uint64(264))
for name, clause, right, wrong in (("k", "bloom-k", U16, (I16, U32)),
                                   ("m_bits", "bloom-m-bits", U64, (I64, U32)),
                                   ("seed", "bloom-seed", U32, (I32, U64))):
    value = {"k": 3, "m_bits": 256, "seed": 0}[name]
    bits = {"k": 16, "m_bits": 64, "seed": 32}[name]
    big = {"k": U16BE, "m_bits": U64BE, "seed": U32BE}[name]
    attribute_case(f"{clause}-present", "absent", f"No attribute {name}.", name, None,
                   ambiguity="seed-default" if name == "seed" else "additional-attributes-required")
    attribute_case(f"{clause}-scalar", "shape-1", f"{name} has shape {{1}}.", name,
                   attribute(right, [value]))
    for type_id, spelled in zip(wrong, ("signed", "other-width")):
        attribute_case(f"{clause}-uint{bits}", spelled, f"{name} is of the wrong integer type.",
                       name, attribute(type_id, value))
    attribute_case(f"{clause}-uint{bits}", "big-endian", f"{name} is big-endian.", name,
                   attribute(big, value), kind=valid,
                   keeps=[f"{clause}-present", f"{clause}-scalar"],
                   ambiguity="integer-attribute-byte-order")


@invalid("bloom-k-present", base=NUMBERS)
def upper_case(t):
    "k is spelled in upper case."
    attrs = index(t).attrs
    attrs["K"] = attrs.pop("k")


attribute_case("bloom-k-positive", "zero", "k is 0.", "k", uint16(0),
               ambiguity="degenerate-filters")
hashed("bloom-k-positive", "one", "k is 1.", I32, [1, 2, 3], INT32_FILL, k=1)

FAMILY = "murmur3_x64_128_double"
attribute_case("bloom-hash-family-present", "absent", "No hash_family.", "hash_family", None,
               ambiguity="additional-attributes-required")
attribute_case("bloom-hash-family-scalar", "shape-1", "hash_family has shape {1}.", "hash_family",
               ascii_text([FAMILY]))
attribute_case("bloom-hash-family-fixed-string", "variable", "hash_family has variable length.",
               "hash_family", vlen_text(FAMILY))
attribute_case("bloom-hash-family-fixed-string", "code", "hash_family is a number.", "hash_family",
               uint8(1))
attribute_case("bloom-hash-family-ascii", "utf8", "hash_family is declared UTF-8.", "hash_family",
               text(FAMILY), ambiguity="declared-character-set")
for wrong in ("murmur3_x86_32", FAMILY.upper(), "xxh64_double"):
    attribute_case("bloom-hash-family-value", wrong.replace("_", "-").lower() + (
        "-upper" if wrong.isupper() else ""), f"hash_family is {wrong}.", "hash_family",
        ascii_text(wrong))
attribute_case("bloom-hash-family-value", "null-padded", "hash_family is null-padded to 32 bytes.",
               "hash_family", Attribute(string(32, cset=ASCII), FAMILY), kind=valid,
               keeps=["bloom-hash-family-present", "bloom-hash-family-scalar",
                      "bloom-hash-family-fixed-string", "bloom-hash-family-ascii"])


@invalid("bloom-seed-present", base=over(I32, [1, 2, 3, 4, 5, 6], INT32_FILL, seed=12345))
def was_not_zero(t):
    "No attribute seed; the filters were made with another than 0."
    i = index(t)
    i.values = i.values
    del i.attrs["seed"]


# --- contents ------------------------------------------------------------------------------------

@invalid("bloom-membership", base=NUMBERS)
def all_zero(t):
    "A filter is all zero."
    index(t).values[0] = bytearray(32)


@invalid("bloom-membership", base=NUMBERS)
def swapped(t):
    "The filters of two chunks are exchanged."
    index(t).values.reverse()


@invalid("bloom-membership", base=NUMBERS)
def one_bit_cleared(t):
    "One bit is cleared."
    row = index(t).values[1]
    at = next(i for i, byte in enumerate(row) if byte)
    row[at] &= row[at] - 1


@invalid("bloom-membership", base=NUMBERS)
def last_not_inserted(t):
    "The value of the last, partial chunk's last row is not in its filter."
    x = t.column("x")
    kept = x.values[6]
    x.values[6] = x.fill
    index(t).values
    x.values[6] = kept


@invalid("bloom-membership", slug="chunks-one-row-late", base=NUMBERS)
def chunks_one_row_late(t):
    "Each filter is that of four rows one row further on."
    x = t.column("x")
    rows = x.values
    x.values = rows[1:] + [x.fill]
    index(t).values
    x.values = rows


@invalid("bloom-membership", slug="first-row-not-inserted", base=NUMBERS)
def first_row_not_inserted(t):
    "The value of the first row is not in its filter."
    x = t.column("x")
    rows = x.values
    x.values = [x.fill, *rows[1:]]
    index(t).values
    x.values = rows


@invalid("bloom-membership", slug="contiguous", base=over(F32BE, [1.5, NAN, 2.5, -0.0], FLOAT_FILL,
                                                          chunk=None, m_bits=128))
def contiguous_cleared(t):
    "The only filter of a contiguous column is all zero."
    index(t).values[0] = bytearray(16)


@valid("bloom-membership", slug="single-value", base=over(I32, [5, INT32_FILL], INT32_FILL, m_bits=256))
def single_value(t):
    "A single value has exactly its k bits."


@valid("bloom-superset", base=NUMBERS, keeps=["bloom-membership"], ambiguity="surplus-filter-bits")
def all_ones(t):
    "A filter of all ones."
    index(t).values[0] = bytearray(b"\xff" * 32)


@valid("bloom-superset", base=NUMBERS, keeps=["bloom-residue-rows"])
def before_truncation(t):
    "The filters were not rebuilt after rows had been cut off."
    index(t).values
    t.nrows = 2


@valid("bloom-superset", base=NUMBERS, ambiguity="surplus-filter-bits")
def fill_inserted(t):
    "The fill value was inserted too."
    for g in bloom_bits(canonical(I32, INT32_FILL), 3, 256, 0):
        index(t).values[0][g // 8] |= 1 << g % 8


def nan_bits(t):
    for g in bloom_bits(bytes.fromhex("000000000000f87f"), 3, 256, 0):
        index(t).values[0][g // 8] |= 1 << g % 8


@invalid("bloom-nan-not-inserted", base=REALS)
def nan_hashed(t):
    "The bits of NaN are set as well."
    nan_bits(t)


@invalid("bloom-nan-not-inserted", base=over(F64, [1.5, NAN, -2.0, NAN], NAN, m_bits=256))
def nan_fill_hashed(t):
    "NaN is the fill value, and missing rows were hashed."
    nan_bits(t)


def nan_among(slug, shows, type_id, values, fill, **options):
    """NaN was hashed like any other value."""
    @invalid("bloom-nan-not-inserted", slug, shows, base=over(type_id, values, fill, **options))
    def mutate(t):
        i = index(t)
        i.values = chunk_bloom(t.column("x"), t.nrows, i.k, i.m_bits, i.seed)
        nan = next(v for v in values if v != v or isinstance(v, bytes))
        data = nan if isinstance(nan, bytes) else encode(type_id, nan)
        data = data[::-1] if type_id in (F16BE, F32BE, F64BE) else data
        for g in bloom_bits(data, i.k, i.m_bits, i.seed):
            i.values[0][g // 8] |= 1 << g % 8


nan_among("exact-sums", "NaN was hashed; sums are exact, m_bits is not a power of two.", F64,
          [1.5, NAN, -2.0], FLOAT_FILL, m_bits=248, k=6)
nan_among("float16", "NaN was hashed, big-endian float16.", F16BE, [1.5, NAN], -1.0, m_bits=256)
nan_among("float32", "NaN was hashed, big-endian float32.", F32BE, [1.5, -0.0, NAN], FLOAT_FILL,
          m_bits=256)
nan_among("payload", "A NaN with a payload was hashed.", F32, [1.5, b"\x45\x23\xc1\xff"], FLOAT_FILL,
          m_bits=256)
nan_among("nan-only", "A chunk of NaN alone was hashed.", F64, [NAN, NAN], FLOAT_FILL, m_bits=256)


@valid("bloom-nan-not-inserted", slug="finite-only", base=REALS)
def finite_only(t):
    "A chunk with a NaN holds the bits of its finite values only."


def made(clause, slug, shows, type_id, values, fill, bits_of=bloom_bits, bytes_of=canonical,
         **options):
    """A filter that a wrong reading of the hash scheme made."""
    extra = {key: options.pop(key) for key in ("k", "m_bits", "seed") if key in options}

    def mutate(t):
        i = index(t)
        i.values = chunk_bloom(t.column("x"), t.nrows, i.k, i.m_bits, i.seed, bits_of, bytes_of)
    kind = options.pop("kind", invalid)
    if kind is invalid and clause != "bloom-membership":
        options["alias"] = "bloom-membership"
    kind(clause, slug, shows, base=over(type_id, values, fill, **{"m_bits": 256, **extra}),
         **options)(mutate)


SOME = (I32, [5, 3, -1, 12345, 77, 8, 1000], INT32_FILL)


def from_one(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)
    return [(a + i * b) % m_bits for i in range(1, k + 1)]


def enhanced(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)
    return [(a + i * b + i * i) % m_bits for i in range(k)]


def swapped_halves(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)
    return [(b + i * a) % m_bits for i in range(k)]


def two_seeds(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)[0], murmur3_x64_128(data, seed + 1)[0]
    return [(a + i * b) % m_bits for i in range(k)]


def big_endian_halves(data, k, m_bits, seed):
    a, b = (int.from_bytes(half.to_bytes(8, "little"), "big")
            for half in murmur3_x64_128(data, seed))
    return [(a + i * b) % m_bits for i in range(k)]


def short_halves(data, k, m_bits, seed):
    a, b = (half % 2**32 for half in murmur3_x64_128(data, seed))
    return [(a + i * b) % m_bits for i in range(k)]


def hashed_by(other):
    """Another hash function, which gives a pair of 64-bit numbers."""
    def bits_of(data, k, m_bits, seed):
        a, b = other(data, seed)
        return [(a + i * b) % m_bits for i in range(k)]
    return bits_of


def wrapped(bits):
    def bits_of(data, k, m_bits, seed):
        a, b = murmur3_x64_128(data, seed)
        return [(a + i * b) % 2**bits % m_bits for i in range(k)]
    return bits_of


def two_wrong_chunks(slug, shows, *readings):
    """Each chunk of 4 rows has a filter that another wrong reading made."""
    @invalid("bloom-membership", slug, shows, base=over(*SOME, m_bits=256))
    def mutate(t):
        i = index(t)
        i.values = [chunk_bloom(t.column("x"), t.nrows, i.k, i.m_bits, i.seed, bits_of)[chunk]
                    for chunk, bits_of in enumerate(readings)]


def nothing(data, k, m_bits, seed):
    return []


two_wrong_chunks("explained-first", "The first filter counts i from 1, the second is empty.",
                 from_one, nothing)
two_wrong_chunks("explained-second", "The first filter is empty, the second counts i from 1.",
                 nothing, from_one)

for hashes in (16, 17):
    hashed("bloom-k-positive", f"k-{hashes}", f"k is {hashes}, m_bits a power of two.", *SOME, k=hashes,
           m_bits=4096)
made("bloom-bit-packing-lsb-first", "msb-first", "Bits are packed from the most significant one.",
     *SOME, bits_of=lambda *a: [g ^ 7 for g in bloom_bits(*a)])
made("bloom-double-hashing-formula", "from-one", "i counts from 1 to k.", *SOME, bits_of=from_one)
made("bloom-double-hashing-formula", "enhanced", "A quadratic term is added.", *SOME,
     bits_of=enhanced, k=4)
made("bloom-double-hashing-formula", "wrap-32", "Sums wrap at 32 bits, m_bits is not a power of two.",
     *SOME, bits_of=wrapped(32), m_bits=248)
made("bloom-membership", "wrap-64", "Sums wrap at 64 bits, m_bits is not a power of two.", *SOME,
     bits_of=wrapped(64), m_bits=248, k=6, kind=valid, warns={"bloom-membership"},
     ambiguity="hash-sum-width")
made("bloom-membership", "exact", "Sums are exact integers, m_bits is not a power of two.", *SOME,
     m_bits=248, k=6, kind=valid, ambiguity="hash-sum-width")
made("bloom-murmur3-x64-128", "two-calls", "Two calls with different seeds.", *SOME,
     bits_of=two_seeds)
made("bloom-double-hashing-formula", "independent-seeds", "Each of the k bits has a seed of its own.",
     *SOME, bits_of=lambda data, k, m_bits, seed: [murmur3_x64_128(data, seed + i)[0] % m_bits
                                                   for i in range(k)])
made("bloom-double-hashing-formula", "modulo-m-bytes", "Sums are taken modulo the number of bytes.",
     *SOME, bits_of=lambda data, k, m_bits, seed: bloom_bits(data, k, m_bits // 8, seed))
made("bloom-double-hashing-formula", "big-endian-halves", "The halves are read as big-endian.",
     *SOME, bits_of=big_endian_halves)
made("bloom-double-hashing-formula", "32-bit-halves", "Only 32 bits of each half are used.",
     *SOME, bits_of=short_halves, m_bits=248)
made("bloom-bit-packing-lsb-first", "big-endian-words", "The filter is made of big-endian 64-bit words.",
     *SOME, bits_of=lambda *a: [g ^ 56 for g in bloom_bits(*a)])
made("bloom-murmur3-x64-128", "x86-128", "MurmurHash3_x86_128 was used.", *SOME,
     bits_of=hashed_by(murmur3_x86_128))
made("bloom-murmur3-x64-128", "xxhash64", "xxHash64 was used, with two seeds.", *SOME,
     bits_of=hashed_by(lambda data, seed: (xxhash64(data, seed), xxhash64(data, seed + 1))))
made("bloom-hash-halves", "swapped", "h_a and h_b are exchanged.", *SOME, bits_of=swapped_halves,
     ambiguity="low-half-of-the-hash")
made("bloom-membership", "seed-zero", "The seed is 12345, the filter was made with 0.", *SOME,
     seed=12345, bits_of=lambda data, k, m, seed: bloom_bits(data, k, m, 0))
made("bloom-canonical-from-big-endian", "file-bytes", "A big-endian column is hashed as it lies.",
     I32BE, SOME[1], INT32_FILL, bytes_of=lambda t, v: canonical(t, v)[::-1])
made("bloom-canonical-signed", "widened", "int8 is widened to int64 before hashing.", I8,
     [-1, 5, 7], INT8_FILL, bytes_of=lambda t, v: int(v).to_bytes(8, "little", signed=True))
made("bloom-canonical-unsigned", "widened", "uint8 is hashed as uint64.", U8, [1, 5, 7], UINT8_FILL,
     bytes_of=lambda t, v: int(v).to_bytes(8, "little"))
made("bloom-canonical-unsigned", "decimal-text", "The decimal text is hashed.", U16, [258, 5, 7],
     UINT16_FILL, bytes_of=lambda t, v: str(v).encode())
made("bloom-canonical-float", "float64", "float32 is hashed as float64.", F32, [1.0, 2.5, -3.0],
     FLOAT_FILL, bytes_of=lambda t, v: canonical(F64, v))
made("bloom-canonical-float", "big-endian", "float16 is hashed with its bytes reversed.", F16,
     [1.0, 2.5, -3.0], 100.0, bytes_of=lambda t, v: canonical(t, v)[::-1])
made("bloom-canonical-float", "number-of-integer", "Integral floats are hashed as integers.", F64,
     [1.0, 2.0, -3.0], FLOAT_FILL, bytes_of=lambda t, v: int(v).to_bytes(8, "little", signed=True))
made("bloom-canonical-signed", "zigzag", "Signed integers are hashed in another encoding.", I16,
     [-1, 5, -300], INT16_FILL, bytes_of=lambda t, v: (v << 1 ^ v >> 15).to_bytes(2, "little"))
made("bloom-membership", "seed-ignored-max", "The seed is 0xFFFFFFFF, the filter was made with 0.", *SOME,
     seed=0xFFFFFFFF, bits_of=lambda data, k, m, seed: bloom_bits(data, k, m, 0))
made("bloom-membership", "seed-of-another", "The seed is 0, the filter was made with 42.", *SOME,
     bits_of=lambda data, k, m, seed: bloom_bits(data, k, m, 42))
made("bloom-negative-zero-normalized", "raw-float16", "-0 of float16 is hashed with its sign.", F16,
     [-0.0], 100.0, bytes_of=lambda t, v: b"\0\x80")
made("bloom-negative-zero-normalized", "raw", "-0 is hashed with its sign.", F64, [-0.0], FLOAT_FILL,
     bytes_of=lambda t, v: bytes(7) + b"\x80")
made("bloom-canonical-boolean", "0xff", "TRUE is hashed as 0xFF.", BOOL, [1, 1], -1,
     bytes_of=lambda t, v: b"\xff", ambiguity="boolean-columns", revised=boolean_with_fill())
made("bloom-canonical-boolean", "text", "TRUE is hashed as its name.", BOOL, [1, 1], -1,
     bytes_of=lambda t, v: b"TRUE", ambiguity="boolean-columns", revised=boolean_with_fill())
made("bloom-canonical-boolean", "four-bytes", "TRUE is hashed as a 4-byte integer.", BOOL, [1, 0], -1,
     bytes_of=lambda t, v: int(v).to_bytes(4, "little"), ambiguity="boolean-columns",
     revised=boolean_with_fill())
TEXT = (string(8), ["muon", "pion", "kaon"], "")
made("bloom-canonical-string", "terminator", "The terminating NUL is hashed too.", *TEXT,
     bytes_of=lambda t, v: canonical(t, v) + b"\0")
made("bloom-canonical-string", "bom", "A byte-order mark precedes the string.", *TEXT,
     bytes_of=lambda t, v: b"\xef\xbb\xbf" + canonical(t, v))
made("bloom-canonical-string", "nfc", "Strings are normalised to NFC before hashing.", string(8),
     ["e\u0301", "muon"], "",
     bytes_of=lambda t, v: unicodedata.normalize("NFC", v.decode()).encode())
made("bloom-canonical-string", "lower-case", "Strings are hashed in lower case.", string(8),
     ["Muon", "pion"], "", bytes_of=lambda t, v: v.lower())
made("bloom-canonical-string", "length-first", "The length of each string is hashed as well.", *TEXT,
     bytes_of=lambda t, v: bytes([len(v)]) + v)
made("bloom-canonical-string", "utf-16", "UTF-16 is hashed.", *TEXT,
     bytes_of=lambda t, v: canonical(t, v).decode().encode("utf-16-le"))
made("bloom-canonical-string-padding-stripped", "null-padded", "The whole field is hashed.", *TEXT,
     bytes_of=lambda t, v: canonical(t, v).ljust(8, b"\0"))
made("bloom-canonical-string-padding-stripped", "spaces", "Spaces that pad are hashed.",
     string(6, pad=SPACEPAD), ["ab", "c"], "none", bytes_of=lambda t, v: canonical(t, v).ljust(6))
made("bloom-canonical-string-ascii", "marker", "A character set marker is hashed too.",
     string(8, cset=ASCII), ["muon", "pion"], "", bytes_of=lambda t, v: b"\0" + canonical(t, v))
made("bloom-canonical-opaque", "tag", "The tag is hashed too.", opaque(2, b"tag"), [b"ab", b"cd"],
     b"\0\0", bytes_of=lambda t, v: b"tag" + canonical(t, v))
made("bloom-canonical-opaque", "reversed", "The bytes are reversed.", opaque(2), [b"ab", b"cd"],
     b"\0\0", bytes_of=lambda t, v: canonical(t, v)[::-1])

hashed("bloom-type", "int64", "int64, 2 chunks.", I64, [-1, 5, 2**62, INT64_FILL, 7], INT64_FILL,
       keeps=["bloom-no-composite-column", "bloom-no-reference-column"])
hashed("bloom-type", "uint16-big-endian", "Big-endian uint16.", U16BE, [258, 1], UINT16_FILL)
hashed("bloom-type", "float16", "float16 with -0.", F16, [1.5, -0.0, NAN, 2.0], -1.0)
hashed("bloom-type", "float32-big-endian", "Big-endian float32.", F32BE, [0.5, -0.0, INF], FLOAT_FILL)
hashed("bloom-type", "boolean", "Booleans.", BOOL, [1, 0, 1], -1, ambiguity="boolean-columns",
       keeps=["bloom-no-composite-column"], revised=boolean_with_fill())
hashed("bloom-type", "opaque", "Opaque bytes.", opaque(3, b"t"), [b"abc", b"xyz"], b"\0\0\0")
hashed("bloom-type", "null-terminated", "Null-terminated strings.", string(8, pad=NULLTERM),
       ["muon", "", "d\u00e9j\u00e0"], "none")
hashed("bloom-type", "space-padded", "Space-padded strings.", string(8, pad=SPACEPAD),
       ["muon", "a b"], "none")
hashed("bloom-type", "variable", "Variable-length strings.", string(None), ["kaon", "", "pion"],
       "none", informs={"prefer-fixed-length"})
hashed("bloom-seed-any-value", "largest", "The seed is 0xFFFFFFFF.", I32, [1, 2, 3], INT32_FILL,
       seed=0xFFFFFFFF)
hashed("bloom-seed-any-value", "deadbeef", "The seed is 0xDEADBEEF.", string(8), ["a", "b"], "",
       seed=0xDEADBEEF)


hashed("bloom-type", "uint8", "uint8.", U8, [0, 1, 254, 7, 9], UINT8_FILL)
hashed("bloom-type", "int8", "int8.", I8, [-1, 1, -128, 7, 9], INT8_FILL)
hashed("bloom-type", "int32-big-endian", "Big-endian int32.", I32BE, [-1, 256, 1, 7, 9], INT32_FILL,
       keeps=["bloom-canonical-from-big-endian"])
hashed("bloom-type", "uint64-big-endian", "Big-endian uint64.", U64BE, [2**63, 256, 1], UINT64_FILL)
hashed("bloom-type", "float64-big-endian", "Big-endian float64 with -0 and infinities.", F64BE,
       [-0.0, INF, -INF, 1.5, NAN], NAN)
hashed("bloom-canonical-string", "spellings", "NFC and NFD spellings are two values; so is the empty "
       "string.", string(8), ["\u00e9", "e\u0301", ""], "none")
hashed("bloom-canonical-string-padding-stripped", "nul-inside", "Null-padded strings with NUL inside.",
       string(4), ["a\0b", "a", "b\0"], "none")
hashed("bloom-canonical-string-padding-stripped", "space-inside",
       "Space-padded strings with spaces inside and in front.", string(4, pad=SPACEPAD),
       ["a b", " a", "a"], "none")
hashed("bloom-type", "chunks-of-one", "A chunk is a row.", I32, [5, INT32_FILL, 7], INT32_FILL, chunk=1)
hashed("bloom-type", "contiguous", "A contiguous column.", string(8), ["muon", "", "pion"], "",
       chunk=None)


@valid("bloom-residue-rows", slug="long-tail", base=over(I32, list(range(64)), INT32_FILL, nrows=10))
def long_tail(t):
    "The extent exceeds NROWS by thirteen chunks."


@valid("bloom-uint8", slug="compressed", base=NUMBERS)
def compressed(t):
    "The filters are chunked both ways, and compressed."
    i = index(t)
    i.values, i.chunk, i.deflate = i.values, (1, 8), 6


@valid("bloom-canonical-opaque", base=over(opaque(2, b"one"), [b"ab", b"cd"], b"\0\0"))
def two_tags(t):
    "Two columns of different tags and the same bytes have the same filters."
    t.add_column("y", opaque(2, b"another"), [b"ab", b"cd"], fill=b"\0\0", chunk=4, maxshape=(None,))
    t.add_index("y", "CHUNK_BLOOM").values = index(t).values


@invalid("bloom-one-column", base=NUMBERS, ambiguity="one-or-more-columns")
def two_columns(t):
    "Two columns list the same filters."
    t.add_column("y", I32, list(t.column("x").values), fill=INT32_FILL, chunk=4)
    t.column("y").attrs["SEARCH_INDEX_LIST"] = refs([index(t)])


@valid("bloom-one-column", base=NUMBERS)
def one_each(t):
    "Two columns, filters each."
    t.add_column("y", U8, [3, 1, 2, 0, 9, 8, 7], fill=UINT8_FILL)
    t.add_index("y", "CHUNK_BLOOM")
