"""HEP001 5, object references."""

from generators.hep001 import *

# the attribute of good_table() that each clause is about: the object that carries it, and its name
CARRIERS = {
    "INDEX_COLUMNS": lambda t: t,
    "CATEGORIES": lambda t: t.column("label"),
    "SEARCH_INDEX_LIST": lambda t: t.column("name"),
    "VALUES": lambda t: t.index("label", "BITMAP"),
}
CLAUSE_OF = {"INDEX_COLUMNS": "index-columns-std-ref", "CATEGORIES": "categories-std-ref",
             "SEARCH_INDEX_LIST": "search-index-list-std-ref", "VALUES": "bitmap-values-std-ref"}


def the_reference(t, name):
    """The attribute itself, now."""
    stored = CARRIERS[name](t).attrs[name]
    return stored() if callable(stored) else stored


for name in CARRIERS:
    @invalid("no-std-ref-obj", name.lower().replace("_", "-"),
             f"{name} is stored as H5T_STD_REF_OBJ.", base=good_table)
    def legacy(t, name=name):
        old = the_reference(t, name)
        CARRIERS[name](t).attrs[name] = Attribute(REF_OBJ, old.value, old.shape)

    @invalid(CLAUSE_OF[name], "region", f"{name} is stored as H5T_STD_REF_DSETREG.",
             base=good_table)
    def legacy_region(t, name=name):
        old = the_reference(t, name)
        CARRIERS[name](t).attrs[name] = Attribute(REF_REGION, old.value, old.shape)

    @invalid(CLAUSE_OF[name], "integer", f"{name} is stored as uint64 addresses.",
             base=good_table)
    def addresses(t, name=name):
        CARRIERS[name](t).attrs[name] = Attribute(U64, *(
            ([96], (1,)) if the_reference(t, name).shape else (96, ())))

    @invalid(CLAUSE_OF[name], "path", f"{name} is stored as a path in a string.", base=good_table)
    def path(t, name=name):
        shape = the_reference(t, name).shape
        CARRIERS[name](t).attrs[name] = text("/events/row_id").shaped(*shape)


@invalid("reference-is-object-reference", base=good_table)
def region_of_index(t):
    "An element of SEARCH_INDEX_LIST is a region reference to an index dataset."
    t.column("name").attrs["SEARCH_INDEX_LIST"] = refs([region_of(t.index("name", "CHUNK_BLOOM"))])


@invalid("reference-is-object-reference", base=good_table)
def attribute_of_categories(t):
    "CATEGORIES is an attribute reference to `ordered` of the categories dataset."
    label = t.column("label")
    label.attrs["CATEGORIES"] = ref(attribute_of(label.categories, "ordered"))


@invalid("reference-is-object-reference", base=good_table)
def region_of_row_index(t):
    "The element of INDEX_COLUMNS is a region reference that selects the whole column."
    t.attrs["INDEX_COLUMNS"] = refs([region_of(t.column("row_id"))])


@valid("reference-typed-column-data", keeps=["outgoing-references"])
def object_reference_column(t):
    "Columns of H5T_STD_REF_OBJ and H5T_STD_REF_DSETREG that point outside the table."
    image = t.file.put("/images", Dataset(U8, [1, 2, 3, 4]))
    t.add_column("pixel", REF_OBJ, [Reference(image)] * 4 + [NULL], fill=NULL)
    t.add_column("region", REF_REGION, [region_of(image)] * 4 + [NULL], fill=NULL)
