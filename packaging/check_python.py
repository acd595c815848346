"""Uses an installed wheel as its README says. usage: check_python.py FIXTURES"""

import pathlib
import sys

import hepcheck

fixtures = pathlib.Path(sys.argv[1])
good = fixtures / "hep001/valid/14.1/worked-example-accepted--five-rows.h5"
bad = fixtures / "hep001/invalid/10.4/minmax-min-value--other-chunk.h5"

assert hepcheck.validate(good).claim == "conformant"
report = hepcheck.validate(bad)
assert report.claim == "not conformant"
assert [found.clause.id for found in report.findings("error")] == ["minmax-min-value"]
assert hepcheck.validate(bad.open("rb")).claim == "not conformant"
assert hepcheck.schema()["type"] == "object"
try:
    hepcheck.assert_conformant(bad)
except AssertionError as error:
    assert "minmax-min-value" in str(error)
else:
    raise SystemExit("a broken file was called conformant")
many = hepcheck.validate_many([good, bad])
assert [each.path for each in many.files] == sorted(map(str, (good, bad)))
