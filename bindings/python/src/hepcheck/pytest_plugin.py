"""A fixture and a marker for pytest.

    @pytest.mark.hepcheck(spec="hep001", fail_on="should")
    def test_export(hepcheck_conformant, tmp_path):
        write_table(tmp_path / "out.h5")
        hepcheck_conformant(tmp_path / "out.h5")

A failure shows the findings as `hepcheck validate` prints them."""

from __future__ import annotations

from typing import Any, Callable

import pytest

from ._validate import Input, NotConformant, assert_conformant
from .report import Report


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "hepcheck(**options): options of the fixture hepcheck_conformant")


@pytest.fixture
def hepcheck_conformant(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """hepcheck.assert_conformant with the options of the marker `hepcheck`."""
    marked: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("hepcheck"))):
        marked.update(marker.kwargs)

    def check(path: Input, **options: Any) -> Report:
        __tracebackhide__ = True
        try:
            return assert_conformant(path, **{**marked, **options})
        except NotConformant as error:
            pytest.fail(str(error), pytrace=False)

    return check
