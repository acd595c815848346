"""Current domains."""

from generators.tiledb import *

NAN = float("nan")


def current(datatype, low, high, domain=None):
    extent = 1.0 if datatype in (FLOAT32, FLOAT64) else 1
    domain = domain or ((0.0, 9.0) if datatype in (FLOAT32, FLOAT64) else (0, 9))
    kind = SPARSE if datatype in (FLOAT32, FLOAT64) else DENSE
    return lambda: Schema(22, kind, dims=[Dimension("d", datatype, domain, extent)],
                          ranges=[values(datatype, low, high)])


def of_strings(low, high):
    return lambda: Schema(22, SPARSE, dims=[Dimension("d", ASCII, None, None)], ranges=[(low, high)])


two = lambda: dense(dims=[Dimension("x", INT64, (0, 9), 1), Dimension("y", INT64, (0, 9), 1)],
                    ranges=[values(INT64, 0, 9), values(INT64, 0, 0)])
valid("cd-complete", "empty", "An empty current domain.", nothing,
      keeps=["cd-version-known", "cd-version-zero", "cd-empty-flag"])
invalid("cd-complete", "cut", "The schema ends after the enumerations.", cut("cd.version"))
invalid("cd-complete", "version-only", "The schema ends after the version.", cut("cd.empty"))
invalid("cd-complete", "no-type", "The flag is 0, and nothing follows.", put({"cd.empty": 0}))
for number in (2, 0xFFFFFFFF):
    invalid("cd-version-known", f"{number}", f"The version is {number}.", put({"cd.version": number}))
invalid("cd-version-zero", "one", "The version is 1, as the text says.", put({"cd.version": 1}),
        ambiguity="current-domain-version")
for number in (2, 255):
    invalid("cd-empty-flag", f"{number}", f"The flag is {number}.", put({"cd.empty": number}))
invalid("cd-empty-means-absent", "one-with-ranges", "The flag is 1, and ranges follow.", put({"cd.empty": 1}),
        base=two, alias="schema-end", ambiguity="current-domain-empty-flag")
invalid("cd-empty-means-absent", "zero-at-the-end", "The flag is 0 at the end of the schema.", put({"cd.empty": 0}),
        alias="cd-complete")
valid("cd-type", "rectangle", "Two ranges of INT64.", nothing, base=two,
      keeps=["cd-range-fits", "cd-range-ordered", "cd-within-domain"])
for number in (1, 255):
    invalid("cd-type", f"{number}", f"The type is {number}.", put({"cd.type": number}), base=two)
invalid("cd-one-range-per-dim", "one-of-two", "One range for two dimensions.", drop("cd.range 1"), base=two,
        alias="cd-range-fits")
invalid("cd-one-range-per-dim", "three-of-two", "Three ranges for two dimensions.", tail(bytes(16)), base=two,
        alias="schema-end")
invalid("cd-range-fits", "cut", "The schema ends inside the last range.", cut("cd.range 1", 15), base=two)
invalid("cd-range-fits", "largest", "The range of a string dimension has 2^64 - 1 bytes.",
        put({"cd.range 0.size": 2**64 - 1}), base=of_strings(b"a", b"z"))
valid("cd-var-min-length", "a-z", "A range of strings from a to z.", nothing, base=of_strings(b"a", b"z"),
      keeps=["cd-range-ordered"])
for slug, size in (("longer", 3), ("largest", 2**64 - 1)):
    invalid("cd-var-min-length", slug, "The minimum is longer than the range.", put({"cd.range 0.min size": size}),
            base=of_strings(b"a", b"z"))
invalid("cd-var-min-length", "of-nothing", "A range of no bytes has a minimum of one.",
        put({"cd.range 0.min size": 1}), base=of_strings(b"", b""))
valid("cd-range-ordered", "soma", "A range of strings from the empty one to ff.", nothing,
      base=of_strings(b"", b"\xff"))
valid("cd-range-ordered", "equal", "A range from a to a.", nothing, base=of_strings(b"a", b"a"))
for slug, base in (("int64", current(INT64, 5, 4)), ("uint64", current(UINT64, 2**63, 1, (0, 2**64 - 2))),
                   ("strings", of_strings(b"b", b"a")), ("float64", current(FLOAT64, 2.0, 1.0))):
    invalid("cd-range-ordered", slug, "The minimum is greater than the maximum.", nothing, base=base)
valid("cd-range-finite", "numbers", "A range of FLOAT64.", nothing, base=current(FLOAT64, 0.5, 2.5))
for slug, low, high in (("minimum", NAN, 1.0), ("maximum", 0.0, NAN)):
    invalid("cd-range-finite", slug, f"The {slug} is NaN.", nothing, base=current(FLOAT64, low, high))
valid("cd-within-domain", "whole", "A range as large as the domain.", nothing, base=current(INT64, 0, 9))
for slug, low, high in (("above", 0, 10), ("below", -1, 9)):
    invalid("cd-within-domain", slug, "The range is larger than the domain.", nothing, base=current(INT64, low, high))
valid("cd-string-range-empty", "no-limit", "A range of no bytes.", nothing, base=of_strings(b"", b""))
