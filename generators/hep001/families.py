"""Families of recipes: the same cases for every attribute of one form."""

from .datatypes import ASCII, U8, array
from .objects import Attribute, text, vlen_text
from .format import invalid, newer, valid
from .table import small_table


def boolean_with_fill(**options):
    """The findings of the newer revision for a table whose boolean column has the fill value that the
    older one requires: only this finding, because the contents of indexes may depend on it."""
    return newer(**{"kind": "invalid", "clause": "boolean-column-no-fill", "alias": None,
                    "fails": {"boolean-column-no-fill"}, "warns": (), **options})


def optional_text(clauses, name, owner=lambda t: t, base=small_table, value="eV", second="keV",
                  of_anndata=False):
    """Cases for a scalar fixed-length UTF-8 string on the object that `owner` returns for the table.

    `clauses` is the common start of the three ids, as in title-scalar; `of_anndata` says that
    Anndata writes the attribute too, as a variable-length string.
    """
    def recipe(register, clause, slug, shows, attribute, **options):
        def mutate(t):
            owner(t).attrs[name] = attribute
        register(f"{clauses}-{clause}", slug, f"`{name}` is {shows}.", base=base, **options)(mutate)

    well_formed = text(value)
    recipe(invalid, "scalar", "shape-1", "a one-element array", well_formed.shaped(1))
    recipe(invalid, "scalar", "two-strings", "an array of two strings", text([value, second]))
    recipe(invalid, "scalar", "null-dataspace", "stored with a null dataspace",
           well_formed.without_value())
    recipe(invalid, "fixed-string", "variable-length", "a variable-length string",
           vlen_text(value), ambiguity="anndata-string-datatypes" if of_anndata else None)
    size = len(value.encode())
    recipe(invalid, "fixed-string", "array-of-bytes", "a scalar array datatype of uint8",
           Attribute(array(U8, size), list(value.encode())))
    recipe(invalid, "utf8", "ascii", "declared ASCII, with an ASCII value", text(value, cset=ASCII),
           ambiguity="declared-character-set")
    recipe(valid, "fixed-string", "exact-size", "exactly as long as its value, NULLPAD",
           well_formed, keeps=[f"{clauses}-scalar", f"{clauses}-utf8"])
