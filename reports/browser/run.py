"""Opens the HTML report in Chromium: run.py DIRECTORY, which contains the packages of package.json.

If node, Chromium or the packages are missing, the status is 77 (skipped) and the reason is
printed."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "cmake")]

from npm_packages import installed, program, skip  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def test(folder):
    environment = dict(os.environ, CHROMIUM=program(*BROWSERS), NODE_PATH=str(folder / "node_modules"))
    if not installed(HERE / "package.json", folder):
        skip("the packages were not installed (see report_browser_packages)")
    import report_testing
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    report_testing.make_hostile(work / "hostile.h5")
    # Node looks for modules next to the file that imports them.
    shutil.copy(HERE / "report_test.mjs", folder)
    environment.update(FIXTURES=str(report_testing.FIXTURES), WORK=str(work),
                       HEPCHECK=str(report_testing.HEPCHECK))
    return subprocess.run([program("node"), "--test", "--test-reporter=spec", "report_test.mjs"],
                          cwd=folder, env=environment).returncode


if __name__ == "__main__":
    sys.exit(test(pathlib.Path(sys.argv[1]).resolve()))
