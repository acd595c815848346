"""HEP001 7.1, the CLASS attribute, and the note there on string attributes."""

from generators.hep001 import *

UNDISCOVERED = {"asserted": True}  # CLASS has no string value that says COLUMN_TABLE


def case(clause, slug, shows, attribute, **options):
    def mutate(t):
        t.attrs["CLASS"] = attribute
    invalid(clause, slug, f"CLASS is {shows}.", **options)(mutate)


@valid("class-present", base=lambda: small_table("/"),
       keeps=["class-string-type", "class-fixed-length", "class-size-13", "class-null-terminated",
              "class-ascii", "class-scalar", "class-value"])
def on_the_root_group(t):
    "CLASS on the root group: a scalar 13-byte null-terminated ASCII string."


@invalid("class-present", asserted=True)
def absent(t):
    "There is no CLASS attribute."
    del t.attrs["CLASS"]


@invalid("class-present", asserted=True)
def capitalised(t):
    "The attribute is called `Class`."
    t.attrs["Class"] = t.attrs.pop("CLASS")


NAME = b"COLUMN_TABLE"
case("class-string-type", "array-of-bytes", "a scalar array datatype of 13 uint8",
     Attribute(array(U8, 13), list(NAME + b"\0")), **UNDISCOVERED)
case("class-string-type", "opaque", "13 opaque bytes", Attribute(opaque(13), NAME + b"\0"),
     **UNDISCOVERED)
case("class-fixed-length", "variable-length", "a variable-length string",
     vlen_text("COLUMN_TABLE", cset=ASCII), ambiguity="class-found-though-malformed")
case("class-size-13", "size-14", "a null-terminated string of 14 bytes", ascii_text(NAME, 14),
     ambiguity="class-found-though-malformed")
case("class-size-13", "size-64", "a null-terminated string of 64 bytes", ascii_text(NAME, 64),
     ambiguity="class-found-though-malformed")
case("class-size-13", "size-12-nullpad", "a null-padded string of 12 bytes, without any NUL",
     ascii_text(NAME, 12, pad=NULLPAD), fails={"class-size-13", "class-null-terminated"},
                ambiguity="class-found-though-malformed")
case("class-size-13", "size-12-nullterm", "declared null-terminated in 12 bytes, without any NUL",
     ascii_text(NAME, 12), fails={"class-size-13", "class-null-terminated"},
                ambiguity="class-found-though-malformed")
case("class-null-terminated", "nullpad", "a null-padded string of 13 bytes",
     ascii_text(NAME, 13, pad=NULLPAD), ambiguity="class-found-though-malformed")
case("class-null-terminated", "spacepad", "a space-padded string of 13 bytes, ending in a space",
     ascii_text(NAME, 13, pad=SPACEPAD), ambiguity="class-found-though-malformed")
case("class-ascii", "utf8", "declared UTF-8", text(NAME, 13, pad=NULLTERM),
     ambiguity="class-found-though-malformed")
case("class-scalar", "shape-1", "a one-element array", ascii_text(NAME).shaped(1),
     ambiguity="class-found-though-malformed")
case("class-scalar", "shape-2", "an array of two strings, both COLUMN_TABLE",
     ascii_text(NAME).shaped(2), **UNDISCOVERED)
case("class-scalar", "null-dataspace", "stored with a null dataspace",
     ascii_text(NAME).without_value(), **UNDISCOVERED)
case("class-value", "mixed-case", '"Column_Table"', ascii_text("Column_Table"), **UNDISCOVERED)
case("class-value", "table", '"TABLE"', ascii_text("TABLE", 13), **UNDISCOVERED)
case("class-value", "hyphen", '"COLUMN-TABLE"', ascii_text("COLUMN-TABLE"), **UNDISCOVERED)


@valid("utf8-attribute-not-truncated", keeps=["title-utf8"])
def one_code_point_fills_it(t):
    "TITLE has 4 bytes, NULLPAD, filled by one 4-byte code point."
    t.attrs["TITLE"] = text("\U0001f4c8")


@invalid("utf8-attribute-not-truncated", ambiguity="notes-bind")
def title_cut_in_a_code_point(t):
    "TITLE has 5 bytes and ends in the first of the two bytes of U+00E9."
    t.attrs["TITLE"] = text("caff\u00e9".encode()[:5])


@invalid("utf8-attribute-not-truncated", ambiguity="notes-bind")
def byte_ff(t):
    "The description contains the byte 0xFF."
    t.attrs["description"] = text(b"ten \xff rows")


@invalid("utf8-attribute-not-truncated", ambiguity="notes-bind")
def surrogate(t):
    "TITLE contains an encoded surrogate, U+D83D."
    t.attrs["TITLE"] = text(b"plot \xed\xa0\xbd")


@invalid("utf8-attribute-not-truncated", ambiguity="notes-bind")
def overlong(t):
    "TITLE contains an overlong form of the slash, C0 AF."
    t.attrs["TITLE"] = text(b"a\xc0\xafb")


@invalid("utf8-attribute-not-truncated", ambiguity="notes-bind")
def units_cut_in_a_code_point(t):
    "`units` of a column ends in the first of the two bytes of U+00B5."
    t.column("energy").attrs["units"] = text("eV \u00b5".encode()[:4])


@valid("string-padding")
def padded_or_just_full(t):
    "TITLE is NULLPAD and full to the last byte; the description is NULLTERM with unused bytes."
    t.attrs["TITLE"] = text("full")
    t.attrs["description"] = text("roomy", 20, pad=NULLTERM)


@invalid("string-padding", ambiguity="notes-bind")
def title_spacepad(t):
    "TITLE is a space-padded string."
    t.attrs["TITLE"] = text("Sample run", 16, pad=SPACEPAD)


@invalid("string-padding", ambiguity="notes-bind")
def title_without_its_nul(t):
    "TITLE is declared NULLTERM in 4 bytes, and none of them is NUL."
    t.attrs["TITLE"] = text("full", 4, pad=NULLTERM)


@invalid("string-padding", ambiguity="notes-bind")
def column_order_without_its_nul(t):
    "column-order is declared NULLTERM in 6 bytes, which the longest name fills."
    t.attrs["column-order"] = text(["id", "energy"], 6, pad=NULLTERM)


@invalid("string-padding", ambiguity="padding-rule-scope")
def version_spacepad(t):
    "VERSION is a space-padded string."
    t.attrs["VERSION"] = ascii_text("1.0", 4, pad=SPACEPAD)


@invalid("string-padding", base=good_table, ambiguity="padding-rule-scope")
def kind_spacepad(t):
    "KIND of an index is a space-padded string."
    t.index("ts", "CHUNK_MINMAX").attrs["KIND"] = ascii_text("CHUNK_MINMAX", 16, pad=SPACEPAD)


@invalid("string-padding", base=good_table, ambiguity="padding-rule-scope")
def hash_family_spacepad(t):
    "hash_family of a CHUNK_BLOOM index is a space-padded string."
    bloom = t.index("name", "CHUNK_BLOOM")
    bloom.attrs["hash_family"] = ascii_text("murmur3_x64_128_double", 24, pad=SPACEPAD)
