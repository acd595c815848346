"""4.8 and 4.9: custom metadata, extension types."""

from generators.arrow import *

BOTH, RESERVED = "arrow-metadata-key-and-value-present", "arrow-metadata-reserved-namespace"
NAME, DATA = "ARROW:extension:name", "ARROW:extension:metadata"


@valid(BOTH)
def empty_value(f):
    "An empty value, and an empty key."
    f.schema.custom_metadata = pairs({"a": "", "": "b"})


@invalid(BOTH)
def without_value(f):
    "A pair of the schema has no value."
    f.schema.custom_metadata = [pair("a", None)]


@invalid(BOTH)
def without_key(f):
    "A pair of a field has no key."
    f.field("a").custom_metadata = [pair(None, "b")]


@invalid(BOTH, base=two_batches_file,
         revised={LATER: {"also": {"arrow-footer-custom-metadata-identical"}}})
def of_the_footer(f):
    "A pair of the footer has no value."
    f.footer.custom_metadata = [pair("a", None)]


@valid(RESERVED)
def others(f):
    "Keys that only look reserved: ARROWHEAD, arrow:x, myorg:unit."
    f.schema.custom_metadata = pairs({"ARROWHEAD": "1", "arrow:x": "2", "myorg:unit": "3"})


for name, key in (("mine", "ARROW:mine"), ("extension-foo", "ARROW:extension:foo"), ("bare", "ARROW")):
    @invalid(RESERVED, name, f"The schema has the key {key}.", base=ints_file if name == "bare" else ints)
    def reserved(f, key=key):
        f.schema.custom_metadata = pairs({key: "1"})

    @invalid(RESERVED, f"{name}-of-a-field", f"A field has the key {key}.")
    def reserved_in_a_field(f, key=key):
        f.field("a").custom_metadata = pairs({key: "1"})


@invalid(RESERVED)
def of_a_message(f):
    "A message has the key ARROW:mine."
    f.batches[0].table.custom_metadata = pairs({"ARROW:mine": "1"})


@valid("arrow-metadata-colon-separators")
def three(f):
    "The key a:b:c."
    f.schema.custom_metadata = pairs({"a:b:c": "1"})


@valid("arrow-metadata-three-levels", base=several_file,
       revised={LATER: {"warns": {"arrow-footer-custom-metadata-identical"}}})
def all_three(f):
    "Pairs of the schema, of fields and of each message."
    f.schema.custom_metadata = pairs({"a": "1"})
    f.field("p.u").custom_metadata = pairs({"b": "2"})
    f.field("l.item").custom_metadata = pairs({"c": "3"})
    for message in f.messages:
        message.table.custom_metadata = pairs({"d": "4"})


@valid("arrow-metadata-repeated-keys")
def twice_k(f):
    "k=1 and k=2."
    f.schema.custom_metadata = pairs([("k", "1"), ("k", "2")])


# Extensions ---------------------------------------------------------------------------------------

NEEDS_NAME, PREFIXED = "arrow-extension-metadata-needs-name", "arrow-extension-name-prefixed"


def extension(f, metadata):
    f.field("a").custom_metadata = pairs(metadata)


@valid(NEEDS_NAME, base=fixed_binaries, keeps=[PREFIXED])
def both(f):
    "A name and metadata."
    extension(f, {NAME: "myorg.name_of_type", DATA: "1"})


for name, value in (("metadata-only", "1"), ("empty-metadata", "")):
    @invalid(NEEDS_NAME, name, f'Metadata "{value}" without a name.', base=fixed_binaries)
    def nameless(f, value=value):
        extension(f, {DATA: value})


for slug, name in (("uuid", "uuid"), ("dot-first", ".x"), ("dot-last", "x."), ("empty", "")):
    @invalid(PREFIXED, slug, f'The name of an extension is "{name}".',
             base=in_file(fixed_binaries) if slug == "uuid" else fixed_binaries)
    def no_prefix(f, name=name):
        extension(f, {NAME: name})


@valid("arrow-extension-unknown", base=base_of((field("a", binary(16)), [bytes(range(16)), None])),
       informs={PREFIXED})
def uuid(f):
    "16 bytes with the name uuid."
    extension(f, {NAME: "uuid", DATA: ""})


@valid("arrow-extension-unknown", base=structs)
def of_a_struct(f):
    "An unknown extension whose storage is a struct."
    extension(f, {NAME: "myorg.person", DATA: "{}"})


for name, metadata in (("name-only", {}), ("empty", {DATA: ""})):
    @valid("arrow-extension-without-metadata", name, f"A name; metadata: {name}.", base=fixed_binaries)
    def no_metadata(f, metadata=metadata):
        extension(f, {NAME: "myorg.triple", **metadata})
