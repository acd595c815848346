"""python3 -m generators.arrow.tests.readers PACKAGES: tests that arrow-rs and apache-arrow read the valid fixtures,
with known exceptions. PACKAGES is a directory that cmake/npm_packages.py filled.
If Node is missing, the status is 77 (skipped)."""

import fnmatch
import json
import pathlib
import shutil
import subprocess
import sys

from generators import formats
from generators.arrow.format import made_of

HERE = pathlib.Path(__file__).parent
FORMAT = formats.find("arrow")

# Valid fixtures that the readers do not read: patterns, and the reasons. Every fixture that matches
# must be rejected.
ORDER = "it does not look at the byte order"
UNDER_NULLS = "it looks at what is under nulls"
IN_TURN = "it reads the file as a stream, in which the dictionary comes late"
RUST = {
    "Message.fbs/arrow-compression-*": "it was built without codecs",
    "4.4/arrow-schema-big-endian--[!i]*": ORDER,
    "5.1/arrow-consumer-converts-unsupported--big-endian*": ORDER,
    "4.1/arrow-message-length-little-endian--in-a-big-endian-stream*": ORDER,
    "Schema.fbs/arrow-decimal-value-fits-precision--big-endian*": ORDER,
    "Schema.fbs/arrow-schema-endianness-known--big*": ORDER,
    "2.4/arrow-null-slot-content-any--bytes-that-are-no-text*": UNDER_NULLS,
    "2.4/arrow-null-slot-content-any--key-under-a-null-struct*": UNDER_NULLS,
    "2.4/arrow-null-slot-content-any--text-under-a-null-list*": UNDER_NULLS,
    "Schema.fbs/arrow-utf8-values-valid--under-nulls*": UNDER_NULLS,
    "Schema.fbs/arrow-union-v4-bitmap--dense-of-v4*": UNDER_NULLS,
    "2.10.2/arrow-sparse-union-unselected-any--key-that-is-none*": "it looks at keys of other slots",
    "*-empty-array-without-offsets--of-a-slice*": "it looks at offsets where there is no slot",
    "4.3/arrow-buffer-empty-offset-any--minus-1*": "it takes the offset of an empty buffer",
    "4.7/arrow-dictionary-nested-order-any--*": "it wants the inner dictionary first",
    "4.6/arrow-file-dictionary-anywhere--*": IN_TURN,
    "4.6/arrow-file-dictionary-defined--behind-the-batch*": IN_TURN,
    "2.12/arrow-dictionary-index-in-range--delta-behind-the-batch*": IN_TURN,
    "*--no-index-type*": "it wants the type of the keys to be stated",
    "flatbuffers/arrow-fb-absent-vector-empty--no*": "it wants the vectors to be there",
}
RUST |= {pattern: "it was built without codecs" for pattern in (
    "2.12/arrow-dictionary-index-in-range--*-in-two-parts*", "2.6/arrow-binary-offsets-ascending--in-the-last-part*",
    "Schema.fbs/arrow-utf8-values-valid--character-*-the-border-*")}
RUST |= {pattern: UNDER_NULLS for pattern in (
    "4.2/arrow-field-not-nullable-no-nulls--list-null-*", "Schema.fbs/arrow-union-v4-bitmap--*-over-bad-text*")}
RUST["2.10.2/arrow-sparse-union-unselected-any--keys-of-*"] = "it looks at keys of other slots"
RUST |= {pattern: UNDER_NULLS for pattern in (
    "3.7/arrow-view-null-slot-any--*", "3.8.2/arrow-list-view-null-slot-not-empty--*",
    "4.2/arrow-run-end-not-nullable-no-nulls--under-null-structs*")}
RUST |= {pattern: ORDER for pattern in (
    "3.14/arrow-run-end-type--big-endian*", "3.8.2/arrow-list-view-offsets-size--big-endian*", "4.6/arrow-list-view-in-stated-endianness--*",
    "4.6/arrow-view-integers-in-stated-endianness--*", "Schema.fbs/arrow-decimal-256--*",
    "Schema.fbs/arrow-decimal-narrow--*-big*", "Schema.fbs/arrow-map-keys-sorted-true--views-big-endian*")}
RUST["3.14/arrow-run-end-long--*"] = "its lengths have 32 bits"
RUST["4.5/arrow-compression-*"] = "it was built without codecs"
IDS = "it wants the type ids of a union to be stated"
JAVASCRIPT = {
    "2.10/arrow-union-null-count-zero--*": IDS,
    "2.10.1/arrow-dense-union-*": IDS,
    "2.10.1/arrow-union-[ct]*-[lb]*--*": IDS,
    "2.10.2/arrow-sparse-union-child-not-shorter--*": IDS,
    "2.10.2/arrow-sparse-union-unselected-any--key-that-is-none*": IDS,
    "4.4/arrow-schema-big-endian--dense*": IDS,
    "Schema.fbs/arrow-union-default-type-ids--*": IDS,
    "Schema.fbs/arrow-union-mode-known--*": IDS,
    "Schema.fbs/arrow-union-v4-bitmap--*": "it does not know the bitmap of a union",
    "2.12/arrow-dictionary-index-uint64-avoided--int64*": "it cannot use keys of 64 bits",
    "2.12/arrow-dictionary-index-in-range--*int64*": "it cannot use keys of 64 bits",
    "2.10.2/arrow-sparse-union-unselected-any--keys-of-*": "it looks at keys of other slots",
    "4.4/arrow-schema-big-endian--large-lists*": ORDER,
    "4.4/arrow-schema-big-endian--maps*": ORDER,
    "5.1/arrow-consumer-converts-unsupported--big-endian*": ORDER,
    "Message.fbs/arrow-compression-empty-buffer--length-0*": "it wants a frame after the length 0",
    "4.6/arrow-view-integers-in-stated-endianness--*": ORDER,
    "Schema.fbs/arrow-map-keys-sorted-true--views-big-endian*": ORDER,
}
UNKNOWN_TO_JAVASCRIPT = {"RunEndEncoded", "ListView", "LargeListView"}


def replies(packages, names):
    node = shutil.which("node") or skip("there is no Node on this machine")
    lines = "".join(f"{FORMAT.fixtures / name}\n" for name in names)
    done = subprocess.run([node, HERE / "read.mjs", packages], input=lines, text=True, check=True,
                          stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.splitlines()]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def known(recipe, failures):
    path = recipe.path.removeprefix("valid/")
    return next((why for pattern, why in failures.items() if fnmatch.fnmatchcase(path, pattern)), None)


def kinds(fields):
    """The types of fields, and of those below them."""
    for each in fields or ():
        yield each.type.kind
        yield from kinds(each.children)


def complaints(recipe, reply):
    for reader, failures in (("arrow-rs", RUST), ("apache-arrow", JAVASCRIPT)):
        error, why = reply[reader], known(recipe, failures)
        fields = made_of(recipe).schema.fields
        if reader == "apache-arrow" and UNKNOWN_TO_JAVASCRIPT & {*kinds(fields)}:
            why = "it does not know the type"
        if error and not why:
            yield f"{reader}: {error}"
        if why and not error:
            yield f"{reader} reads it, although {why}"
    stream = made_of(recipe)
    if not reply["apache-arrow"]:
        rows = sum(message.batch.length for message in stream.batches)
        names = [of.name for of in stream.schema.fields or ()]
        if (reply["rows"], reply["columns"]) != (rows, names):
            yield f"{reply['rows']} rows of {reply['columns']} instead of {rows} of {names}"


def main():
    recipes = FORMAT.recipes("valid/*")
    found = replies(pathlib.Path(sys.argv[1]).resolve(), [recipe.path for recipe in recipes])
    wrong = [f"{recipe.path}: {words}" for recipe, reply in zip(recipes, found, strict=True)
             for words in complaints(recipe, reply)]
    print("\n".join(wrong) or f"both read {len(recipes)} sound fixtures as is known of them")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
