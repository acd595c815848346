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
