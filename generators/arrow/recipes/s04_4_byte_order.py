"""4.4: byte order."""

from generators.arrow import *

BIG = "arrow-schema-big-endian"
for name, base in (("ints", ints), ("several", several_file), ("maps", maps), ("words", words),
                   ("dense", dense), ("large-lists", large_lists),
                   ("intervals", base_of((field("a", interval(1)), [(1, 2), None])))):
    @valid(BIG, name, f"Big-endian data: {name}.", base=in_order(1, base))
    def big(f):
        pass


@valid("arrow-schema-endianness-default-little")
def absent(f):
    "A schema without endianness."


STATED = "arrow-data-in-stated-endianness"


@valid(STATED, base=in_order(0, texts), keeps=["arrow-schema-endianness-known"])
def little(f):
    "Endianness Little, written out, and little-endian offsets."
    f.style = Style(defaults=True)


def swapped(buffer):
    buffer.content = buffer.bytes("big")


def stated(name, shows, base, alias, buffer, **options):
    """`buffer(f)` is big-endian in a stream that says Little."""
    @invalid(STATED, name, shows, base=base, alias=alias, **options)
    def mutate(f):
        swapped(buffer(f))


stated("offsets-in-data", "The offsets of texts are big-endian where the schema says Little.", texts,
       "arrow-binary-offsets-in-data", lambda f: f.array("a").offsets)
stated("offsets-ascending", "Big-endian offsets 0, 1, 256 in a schema that says Little.",
       base_of((field("a", BINARY), [b"x", b"y" * 255])),
       "arrow-binary-offsets-ascending", lambda f: f.array("a").offsets)
@invalid(STATED, "first-offset", "Big-endian offsets 128 and 200.",
         base=base_of((field("a", BINARY), [b"y" * 200])),
         alias="arrow-binary-first-offset-not-negative")
def first_offset(f):
    f.array("a").offsets.values[0] = 128
    swapped(f.array("a").offsets)


stated("list-offsets", "The offsets of lists are big-endian where the schema says Little.",
       in_file(lists), "arrow-list-offsets-in-child", lambda f: f.array("a").offsets)
stated("list-offsets-ascending", "Big-endian offsets 0, 1, 256 of lists.",
       base_of((field("a", LIST, field("item", I8)), [[1], 255 * [2]])),
       "arrow-list-offsets-ascending", lambda f: f.array("a").offsets)
stated("keys", "The keys of a dictionary column are big-endian where the schema says Little.", words,
       "arrow-dictionary-index-in-range", lambda f: f.array("a").data)
stated("dense-union", "The offsets of a dense union are big-endian where the schema says Little.", dense,
       "arrow-dense-union-offset-in-child", lambda f: f.array("a").offsets)
