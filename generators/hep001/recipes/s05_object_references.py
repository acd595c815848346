"""HEP001 5, object references."""

from generators.hep001 import *


def without_behind(t, name):
    """Removes the objects that have no reference once the reference attribute `name` dangles."""
    if name == "CATEGORIES":
        t.remove("CATEGORIES")
    if name == "SEARCH_INDEX_LIST":
        t.remove_index(t.index("name", "CHUNK_BLOOM"))
    if name == "VALUES":
        t.search_indexes.remove("label__values")


# where good_table() carries the attribute, the clause on its datatype, and its shape
CARRIERS = {
    "INDEX_COLUMNS": (lambda t: t, "index-columns-std-ref", (1,)),
    "CATEGORIES": (lambda t: t.column("label"), "categories-std-ref", ()),
    "SEARCH_INDEX_LIST": (lambda t: t.column("name"), "search-index-list-std-ref", (1,)),
    "VALUES": (lambda t: t.index("label", "BITMAP"), "bitmap-values-std-ref", ()),
}


def now(attribute):
    return attribute() if callable(attribute) else attribute


for name, (carrier, clause, shape) in CARRIERS.items():
    @invalid("no-std-ref-obj", name.lower().replace("_", "-"),
             f"{name} is stored as H5T_STD_REF_OBJ.", base=good_table,
             ambiguity="legacy-references-rejected")
    def legacy_object(t, name=name, carrier=carrier):
        attribute = now(carrier(t).attrs[name])
        carrier(t).attrs[name] = Attribute(REF_OBJ, attribute.value, attribute.shape)

    @invalid(clause, "region", f"{name} is stored as H5T_STD_REF_DSETREG.", base=good_table)
    def legacy_region(t, name=name, carrier=carrier):
        attribute = now(carrier(t).attrs[name])
        carrier(t).attrs[name] = Attribute(REF_REGION, attribute.value, attribute.shape)

    def no_reference(t, value, name=name, carrier=carrier, shape=shape):
        without_behind(t, name)
        carrier(t).attrs[name] = value.shaped(*shape)

    invalid(clause, "integer", f"{name} is stored as a uint64 address.", base=good_table)(
        lambda t, mutate=no_reference: mutate(t, uint64(96)))
    invalid(clause, "path", f"{name} is stored as a path in a string.", base=good_table)(
        lambda t, mutate=no_reference: mutate(t, text("/events/row_id")))


@valid("reference-is-object-reference", base=good_table,
       keeps=["index-columns-std-ref", "categories-std-ref", "search-index-list-std-ref",
              "bitmap-values-std-ref", "no-std-ref-obj"])
def all_four(t):
    "The four reference attributes use H5T_STD_REF; the file has been renamed since."


@invalid("reference-is-object-reference", base=good_table, ambiguity="region-reference-as-object")
def region_of_index(t):
    "The element of SEARCH_INDEX_LIST is a region reference to the index dataset."
    name = t.column("name")
    name.attrs["SEARCH_INDEX_LIST"] = refs([region_of(t.index("name", "CHUNK_BLOOM"))])


@invalid("reference-is-object-reference", base=good_table, ambiguity="region-reference-as-object")
def attribute_of_categories(t):
    "CATEGORIES is an attribute reference to `ordered` of the categories dataset."
    label = t.column("label")
    label.attrs["CATEGORIES"] = ref(attribute_of(label.categories, "ordered"))


@invalid("reference-is-object-reference", base=good_table, ambiguity="region-reference-as-object")
def region_of_row_index(t):
    "The element of INDEX_COLUMNS is a region reference that selects the whole column."
    t.attrs["INDEX_COLUMNS"] = refs([region_of(t.column("row_id"))])


@valid("reference-typed-column-data", ambiguity="reference-rule-scope")
def object_reference_column(t):
    "A column of H5T_STD_REF_OBJ, with a null reference as fill value and in the last row."
    t.add_column("partner", REF_OBJ, [Reference(t.column("id"))] * 4 + [NULL], fill=NULL)
