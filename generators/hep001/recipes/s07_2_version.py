"""HEP001 7.2, the VERSION attribute."""

from generators.hep001 import *


def case(clause, slug, shows, attribute, kind=invalid, **options):
    def mutate(t):
        t.attrs["VERSION"] = attribute
    kind(clause, slug, f"VERSION is {shows}.", **options)(mutate)


@invalid("version-present")
def absent(t):
    "There is no VERSION attribute."
    del t.attrs["VERSION"]


@invalid("version-present")
def lower_case(t):
    "The attribute is called `version`."
    t.attrs["version"] = t.attrs.pop("VERSION")


case("version-fixed-string", "variable-length", "a variable-length string",
     vlen_text("1.0", cset=ASCII))
case("version-fixed-string", "float64", "a float64", float64(1.0))
case("version-fixed-string", "array-of-int32", "a scalar array datatype of two int32",
     Attribute(array(I32, 2), [1, 0]))
case("version-ascii", "utf8", "declared UTF-8", text("1.0"), ambiguity="declared-character-set")
case("version-scalar", "shape-1", "a one-element array", ascii_text("1.0").shaped(1))
case("version-scalar", "shape-2", 'an array of "1" and "0"', ascii_text(["1", "0"]))
case("version-scalar", "null-dataspace", "stored with a null dataspace",
     ascii_text("1.0").without_value())
case("version-sized", "no-room-for-nul", "declared NULLTERM in the 3 bytes that the value takes",
     ascii_text("1.0", 3))
case("version-sized", "size-2", 'declared NULLTERM in 2 bytes, "1." without any NUL',
     ascii_text("1.", 2), fails={"version-sized", "version-value"})

case("version-value", "major-only", '"1"', ascii_text("1"))
case("version-value", "three-components", '"1.0.0", which only consumers may read as 1.0',
     ascii_text("1.0.0"), ambiguity="version-with-patch")
case("version-value", "v-prefix", '"v1.0"', ascii_text("v1.0"))
case("version-value", "leading-zero", '"01.0"', ascii_text("01.0"), ambiguity="version-with-patch")
case("version-value", "trailing-space", '"1.0 ", the space being part of the value',
     ascii_text("1.0 "))
case("version-value", "empty", "an empty string", ascii_text(""))
case("version-value", "earlier-major", '"0.9", which is not a later revision but none at all',
     ascii_text("0.9"), ambiguity="other-revision")
case("version-value", "major-2", '"2.0", a revision that a reader of 1.0 must refuse',
     ascii_text("2.0"), outcome="unsupported", ambiguity="other-revision")
case("version-value", "major-10", '"10.0", a later revision than 1.0, compared as numbers',
     ascii_text("10.0"), outcome="unsupported", ambiguity="other-revision")
case("version-value", "later-minor", '"1.1", a later revision that a reader of 1.0 can read',
     ascii_text("1.1"), kind=valid, ambiguity="other-revision")
case("version-value", "later-minor-leading-zero", '"1.01", which no revision gives',
     ascii_text("1.01"), ambiguity="version-with-patch")
case("version-value", "four-components", '"1.0.0.1"', ascii_text("1.0.0.1"))

case("version-two-components", "words", '"one.zero"', ascii_text("one.zero"))
case("version-two-components", "suffix", '"1.0-draft"', ascii_text("1.0-draft"))
case("version-two-components", "patch", '"1.0.0"', ascii_text("1.0.0"),
     ambiguity="version-with-patch")

case("version-sized", "exact-nullpad", "3 bytes, NULLPAD, without any NUL",
     ascii_text("1.0", 3, pad=NULLPAD), kind=valid,
     keeps=["version-present", "version-fixed-string", "version-scalar"])
case("version-value", "size-16", "null-padded to 16 bytes", ascii_text("1.0", 16, pad=NULLPAD),
     kind=valid, keeps=["version-two-components"])
case("version-ascii", "size-4-nullterm", "ASCII, 4 bytes, NULLTERM", ascii_text("1.0", 4),
     kind=valid)
