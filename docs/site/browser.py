"""Makes the site and opens it in Chromium: browser.py PACKAGES, a directory with the packages of
reports/browser/package.json. HEPCHECK is the program.

If node, Chromium, cmark-gfm or the packages are missing, the status is 77 (skipped) and the reason is printed."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
sys.path[:0] = [str(CHECKOUT / "cmake")]

from npm_packages import program, test_in_browser  # noqa: E402


def test(folder):
    def prepare():
        program("cmark-gfm")
        site = folder / "site"
        subprocess.run([sys.executable, HERE / "make.py", os.environ["HEPCHECK"], site], check=True)
        return {"SITE": str(site)}

    return test_in_browser(CHECKOUT / "reports/browser/package.json", folder, HERE / "browser_test.mjs", prepare)


if __name__ == "__main__":
    sys.exit(test(pathlib.Path(sys.argv[1]).resolve()))
