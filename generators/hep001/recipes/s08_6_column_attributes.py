"""HEP001 8.6, the attributes of a column."""

from generators.hep001 import *


def energy(t):
    return t.column("energy")


optional_text("units", "units", energy)
optional_text("column-units-vocabulary", "units_vocabulary", energy, value="UDUNITS-2",
              second="UCUM")
optional_text("column-description", "description", energy, value="Total energy.",
              second="Second part.")


@valid("units-utf8")
def letters_beyond_ascii(t):
    "units and description in letters beyond ASCII; a unit of one byte on the other column."
    energy(t).attrs.update(units=text("\u00b5m\u00b7s\u207b\u00b9"),
                           description=text("\U0001d438 \u2265 0"))
    t.column("id").attrs["units"] = text("1", pad=NULLTERM)


@valid("column-attributes-optional")
def user_attributes(t):
    "One column has no attributes, the other `scale` and `long_name` of datatypes of its own."
    energy(t).attrs.update(scale=attribute(array(F64BE, 2), [1.0, 2.0]),
                           long_name=vlen_text("kinetic energy"), empty=text("").without_value())


@valid("units-vocabulary-any-value")
def url(t):
    "units_vocabulary of a column is a URL; that of the table is a short name."
    t.attrs["units_vocabulary"] = text("UDUNITS-2")
    energy(t).attrs.update(units=text("unit:MegaEV"),
                           units_vocabulary=text("https://qudt.org/vocab/unit"))


@valid("units-vocabulary-any-value")
def unknown_word(t):
    "units_vocabulary is free text in another script, and there are no units."
    energy(t).attrs["units_vocabulary"] = text("\u041c\u0415\u0420\u042b (\u043d\u043e\u0432.)")


# SEARCH_INDEX_LIST

@valid("search-index-list-1d", base=good_table, keeps=["search-index-list-resolves"],
       ambiguity="empty-index-list")
def none_one_two(t):
    "SEARCH_INDEX_LIST of no, one and two elements."
    t.column("row_id").attrs["SEARCH_INDEX_LIST"] = refs([])


@invalid("search-index-list-1d", base=good_table)
def scalar(t):
    "SEARCH_INDEX_LIST is a scalar reference."
    t.column("name").attrs["SEARCH_INDEX_LIST"] = ref(t.index("name", "CHUNK_BLOOM"))


@invalid("search-index-list-1d", base=good_table)
def two_dimensional(t):
    "SEARCH_INDEX_LIST has the shape (1, 1)."
    t.column("name").attrs["SEARCH_INDEX_LIST"] = ref(t.index("name", "CHUNK_BLOOM")).shaped(1, 1)


@invalid("search-index-list-1d", ambiguity="null-space-as-empty")
def null_dataspace(t):
    "SEARCH_INDEX_LIST is stored with a null dataspace."
    t.column("id").attrs["SEARCH_INDEX_LIST"] = refs([]).without_value()


@invalid("search-index-list-1d", base=good_table, ambiguity="null-space-as-empty")
def null_dataspace_over_an_index(t):
    "The list of a column that has an index is stored with a null dataspace."
    t.column("name").attrs["SEARCH_INDEX_LIST"] = refs([]).without_value()


# CATEGORIES

@valid("categories-only-on-categorical")
def integer_codes(t):
    "Of two integer columns one is categorical."
    t.add_column("particle", U8, [0, 1, 1, 0, 2], fill=UINT8_FILL)
    t.categorise("particle", ["muon", "pion", "kaon"])


@invalid("categories-only-on-categorical")
def float_column(t):
    "A float32 column of measurements carries CATEGORIES."
    t.categorise("energy", ["low", "high"])
