"""HEP001 14, the worked examples, completed with the fill values that 8.5 demands."""

from generators.hep001 import *


def example_14_1(chunk=None):
    t = Table("/my_table", nrows=5)
    t.attrs["TITLE"] = text("Sample run")
    t.add_column("row_id", U64, [1, 2, 3, 4, 5], fill=UINT64_FILL)
    t.add_column("ts", I64, [30, 10, 20, 50, 40], fill=INT64_FILL, chunk=chunk)
    t.add_column("energy", F32, [0.5, 1.5, 2.5, 3.5, 4.5], fill=FLOAT_FILL)
    t.add_column("label", I8, [0, 2, 1, 0, INT8_FILL], fill=INT8_FILL)
    t.column("row_id").attrs["description"] = text("Globally unique event identifier.")
    t.column("ts").attrs.update(units=text("s"), units_vocabulary=text("UDUNITS-2"),
                                description=text("Event timestamp."))
    t.column("energy").attrs["units"] = text("MeV")
    t.column("label").attrs["description"] = text("Class label.")
    t.label_rows_by("row_id")
    t.categorise("label", Dataset(string(None), ["signal", "noise", "pileup"],
                                  attrs={"ordered": boolean(False)}))
    return t


@valid("worked-example-accepted", base=example_14_1)
def five_rows(t):
    "The minimal table of 14.1, with 5 rows and user-defined fill values."


@valid("worked-example-minmax-accepted", base=lambda: example_14_1(chunk=2),
       informs={"description-provenance"})
def chunks_of_two(t):
    "The table of 14.2: a CHUNK_MINMAX index on ts, whose chunks have 2 rows."
    del t.add_index("ts", "CHUNK_MINMAX").attrs["description"]


# What 2026-07-09 shows besides: 15.2 with list columns, 15.4 with all of it.

def with_lists(nrows=5):
    t = example_14_1(chunk=2)
    for column in t.columns().values():
        column.values = (column.values * 2)[:nrows]
    t.nrows = nrows
    t.add_list("readings", F32, [[0.5, 1.5], None, [], [2.5], [3.5, -1.0], [], None, [4.0],
                                 [5.0]][:nrows], masked={0})
    t.list_column("readings").attrs["description"] = text("Per-event auxiliary sensor readings.")
    t.list_column("readings").elements.attrs["units"] = text("V")
    t.add_list("tags", TEXTS, [["muon", "d\u00e9j\u00e0"], [], [""], ["tau"], [], ["a"], [], ["b", "c"],
                               []][:nrows])
    return t


@valid_since_newer("worked-example-lists-accepted", base=with_lists, ambiguity="units-on-leaf")
def null_empty_and_other_lists(t):
    "The table of 15.2 with 5 rows: null, empty and other lists."


@valid_since_newer("worked-example-complete-accepted", base=lambda: with_lists(9),
                   keeps=["bitmap-exhaustive-complete"])
def nine_rows(t):
    "The complete layout of 15.4 with 9 rows and the tokens that its picture leaves out."
    t.remove("tags")
    t.add_index("ts", "CHUNK_MINMAX")
    t.add_index("ts", "CHUNK_BLOOM")
    t.add_index("energy", "SORTED_ROWS")
    t.add_index("label", "BITMAP", values=[0, 1, 2]).attrs["exhaustive"] = boolean(True)
