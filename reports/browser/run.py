"""Opens the HTML report in Chromium: run.py DIRECTORY, which contains the packages of package.json.

If node, Chromium or the packages are missing, the status is 77 (skipped) and the reason is
printed."""

import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "cmake")]

from npm_packages import test_in_browser  # noqa: E402


def test(folder):
    def prepare():
        import report_testing
        work = folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        report_testing.make_hostile(work / "hostile.h5")
        return {"FIXTURES": str(report_testing.FIXTURES), "WORK": str(work), "HEPCHECK": str(report_testing.HEPCHECK)}

    return test_in_browser(HERE / "package.json", folder, HERE / "report_test.mjs", prepare)


if __name__ == "__main__":
    sys.exit(test(pathlib.Path(sys.argv[1]).resolve()))
