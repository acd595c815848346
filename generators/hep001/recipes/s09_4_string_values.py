"""HEP001 9.4 to 9.6 (2026-07-09): texts of lists, and what list columns must not hold."""

from generators.hep001 import *

valid, invalid = valid_since_newer, invalid_since_newer


# CHARS

@invalid("string-chars-present", base=list_table)
def no_chars(t):
    "A STRING_VALUES group has no CHARS."
    texts(t).remove("CHARS")


@invalid("string-chars-present", base=list_table,
         fails={"string-chars-present", "string-values-only-members"})
def named_values(t):
    "The bytes of the texts are named VALUES."
    texts(t).rename("CHARS", "VALUES")


@invalid("string-chars-rank-1", base=list_table)
def two_dimensions(t):
    "CHARS has shape {B, 1}."
    texts(t).elements.shape = (len(texts(t).elements.values), 1)


@invalid("string-chars-rank-1", base=list_table)
def scalar(t):
    "CHARS is scalar."
    texts(t).elements.values, texts(t).elements.shape = 65, ()


@invalid("string-chars-rank-1", base=list_table)
def group(t):
    "CHARS is a group."
    texts(t).replace("CHARS", Group())


def chars_type(slug, shows, type_id, of=int, **options):
    @invalid("string-chars-uint8", slug, f"CHARS is of {shows}.", base=list_table, **options)
    def mutate(t):
        chars = texts(t).elements
        chars.type, chars.values = type_id, [of(value) for value in chars.values]


chars_type("int8", "int8", I8)
chars_type("uint16", "uint16", U16)
chars_type("strings-of-one-byte", "strings of one byte", string(1), lambda b: bytes([b]))
chars_type("opaque", "opaque bytes", opaque(1), lambda b: bytes([b]))
chars_type("7-bit", "seven bits in a byte", odd_width(U8, 7))


@invalid("string-chars-extent", base=list_table)
def one_byte_short(t):
    "CHARS is one byte short."
    del texts(t).elements.values[-1]


@invalid("string-chars-extent", base=list_table)
def far_beyond(t):
    "The last offset of the texts is 2^40."
    texts(t).offsets.values[-1] = 2**40


@valid("string-chars-extent", "longer", base=list_table, keeps=["string-chars-utf8"])
def longer(t):
    "CHARS is longer than the texts; what follows them is not UTF-8."
    texts(t).elements.values += [0xFF, 0xC3]


def words(*entries):
    """A table of five rows whose first list has these texts."""
    def base():
        t = small_table()
        t.add_list("tags", TEXTS, [list(entries), [], ["tau"], [], []])
        return t
    return base


def no_utf8(slug, shows, *entries):
    invalid("string-chars-utf8", slug, shows, base=words(*entries))(lambda t: None)


@invalid("string-chars-utf8", base=words("muon", "x"))
def byte_ff(t):
    "A text is the byte 0xFF."
    texts(t).elements.values[4] = 0xFF


no_utf8("split", "A code point is split between two texts.", b"d\xc3", b"\xa9j\xc3\xa0")
no_utf8("surrogate", "A text holds a surrogate, ED A0 80.", b"a\xed\xa0\x80")
no_utf8("overlong", "A text holds an overlong NUL, C0 80.", b"\xc0\x80")
no_utf8("beyond-unicode", "A text holds F4 90 80 80, above U+10FFFF.", b"\xf4\x90\x80\x80")
no_utf8("latin-1", "A text is Latin-1.", b"d\xe9j\xe0")
no_utf8("cut", "The last text ends in half a character.", "muon", b"d\xc3")


@valid("string-chars-utf8", base=words("", "a\0b", "\U0001f600", "d\u00e9j\u00e0", "e\u0301"),
       keeps=["string-chars-present", "string-chars-uint8"])
def of_every_length(t):
    "Empty texts, NUL inside, code points of one to four bytes, NFC and NFD."


@valid("string-chars-utf8", "long-text", base=words("\u00e9" * 3000, "x"))
def long_text(t):
    "A text of 6,000 bytes, in chunks of 7: code points lie across their borders."
    texts(t).elements.chunk, texts(t).elements.deflate = 7 * 64 + 1, 9


@valid("string-chars-no-bom", base=words("a\ufeffb", "muon"))
def inside(t):
    "U+FEFF stands in the middle of a text."


@invalid("string-chars-no-bom", base=words("---muon", "pion"), ambiguity="string-bom")
def of_the_buffer(t):
    "A byte-order mark in front of the buffer."
    texts(t).elements.values[:3] = b"\xef\xbb\xbf"


for slug, entries in (("of-an-entry", ("muon", "\ufeffpion")),
                      ("of-every-entry", ("\ufeffmuon", "\ufeffpion"))):
    invalid("string-chars-no-bom", slug, f"A byte-order mark in front {slug.replace('-', ' ')}.",
            base=words(*entries), ambiguity="string-bom")(lambda t: None)


# Variable-length datatypes below a list column

def vlen_dataset(slug, shows, type_id, element, **options):
    @invalid("list-no-vlen-dataset", slug, f"A list has {shows}.", **options)
    def mutate(t):
        t.add_list("x", type_id, [[element], [], [element] * 2, [], []])


vlen_dataset("strings", "variable-length strings", string(None), "muon")
vlen_dataset("sequences", "variable-length sequences", sequence(I32), [1, 2])
vlen_dataset("compound-member", "compounds with a variable-length string",
             compound({"name": string(None), "n": I32}), ("muon", 1))
vlen_dataset("array", "arrays of variable-length strings", array(string(None), 2), ["a", "b"])


@invalid("list-no-vlen-dataset", base=list_table, fails={"list-no-vlen-dataset",
                                                         "string-chars-uint8"})
def chars(t):
    "CHARS is a dataset of variable-length strings."
    chars = texts(t).elements
    chars.type, chars.values = string(None), ["x"] * len(chars.values)


@invalid("list-no-vlen-dataset", base=list_table, fails={"list-no-vlen-dataset",
                                                         "list-only-members"})
def member_of_another_name(t):
    "A fourth member, `notes`, is of variable-length strings."
    outermost(t).add("notes", Dataset(string(None), ["x"]))


@valid("list-no-vlen-dataset", "fixed", keeps=["list-no-vlen-attribute"])
def fixed(t):
    "A leaf of compounds with array members and fixed strings; fixed-length units."
    column = t.add_list("x", compound({"at": array(F32, 2), "name": string(4)}),
                        [[([1.0, 2.0], "muon")], [], [], [], []])
    column.elements.attrs["units"] = text("V")


def vlen_attribute(slug, shows, owner, name, value):
    @invalid("list-no-vlen-attribute", slug, shows, base=list_table)
    def mutate(t):
        owner(t).attrs[name] = value


vlen_attribute("units-of-a-leaf", "`units` of VALUES is a variable-length string.",
               lambda t: outermost(t).elements, "units", vlen_text("V"))
vlen_attribute("sequence-on-offsets", "OFFSETS has an attribute of a variable-length sequence.",
               lambda t: nested(t).offsets, "history", attribute(sequence(I32), (1, 2)))
vlen_attribute("on-a-nested-list", "A nested list has a variable-length string attribute.",
               nested, "note", vlen_text("x"))
vlen_attribute("on-a-mask", "MASK has an attribute, a compound with a variable-length string.",
               lambda t: outermost(t).mask, "note",
               attribute(compound({"by": string(None)}), ("me",)))


@invalid("list-no-vlen-attribute", base=list_table, fails=set(),
         warns={"list-no-vlen-attribute"}, ambiguity="attributes-below-a-list")
def of_the_list_column_itself(t):
    "The list column's own group has a user's variable-length attribute."
    outermost(t).attrs["history"] = vlen_text("made by hand")


# SEARCH_INDEX_LIST

@invalid("list-no-search-index-list", base=list_table)
def empty_list(t):
    "A list column carries an empty SEARCH_INDEX_LIST."
    outermost(t).attrs["SEARCH_INDEX_LIST"] = refs([])


@invalid("list-no-search-index-list", base=list_table)
def refers_to_an_index(t):
    "A list column refers to the index of a column."
    index = t.add_index("id", "SORTED_ROWS")
    outermost(t).attrs["SEARCH_INDEX_LIST"] = refs([index])


@invalid("list-no-search-index-list", base=list_table)
def alone(t):
    "An index that no column but a list column lists."
    index = t.add_index("id", "SORTED_ROWS")
    del t.column("id").attrs["SEARCH_INDEX_LIST"]
    outermost(t).attrs["SEARCH_INDEX_LIST"] = refs([index])


@valid("list-no-search-index-list", base=list_table)
def indexes_of_columns(t):
    "Columns next to the lists have indexes."
    t.add_index("id", "SORTED_ROWS")
    t.add_index("energy", "CHUNK_MINMAX")


# Reserved names in wrong places

def misuse(slug, shows, owner, name, value):
    @invalid("reserved-attribute-misuse", slug, shows, base=list_table,
             ambiguity="member-names-elsewhere" if name in ("MASK", "OFFSETS", "CHARS") else None)
    def mutate(t):
        owner(t).attrs[name] = value


misuse("mask-on-a-list", "A list column has an attribute MASK.", outermost, "MASK", uint8(1))
misuse("offsets-on-a-column", "A column has an attribute OFFSETS.", lambda t: t.column("id"),
       "OFFSETS", uint64(0))
misuse("chars-on-the-table", "The table group has an attribute CHARS.", lambda t: t, "CHARS",
       text("x"))
misuse("kind-on-texts", "A STRING_VALUES group carries KIND.", texts, "KIND",
       ascii_text("OFFSETS"))
misuse("valid-min-on-offsets", "OFFSETS carries valid_min.", lambda t: outermost(t).offsets,
       "valid_min", uint64(0))
misuse("valid-min-on-a-list", "A list column's group carries valid_min.", outermost, "valid_min",
       float32(0))
misuse("title-on-a-list", "A list column carries TITLE.", outermost, "TITLE", text("Pulses"))
misuse("search-index-list-on-values", "VALUES of a list carries SEARCH_INDEX_LIST.",
       lambda t: outermost(t).elements, "SEARCH_INDEX_LIST", refs([]))
misuse("generation-on-a-column", "A column carries GENERATION.", lambda t: t.column("id"),
       "GENERATION", uint64(0))
misuse("class-on-offsets", "OFFSETS carries CLASS.", lambda t: outermost(t).offsets, "CLASS",
       ascii_text("OFFSETS"))
