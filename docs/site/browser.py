"""Makes the site and opens it in Chromium: browser.py PACKAGES, a directory with the packages of
reports/browser/package.json. HEPCHECK is the program.

If node, Chromium, cmark-gfm or the packages are missing, the status is 77 (skipped) and the reason is printed."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
sys.path[:0] = [str(CHECKOUT / "cmake")]

from npm_packages import installed, program, skip  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def test(folder):
    environment = dict(os.environ, CHROMIUM=program(*BROWSERS), NODE_PATH=str(folder / "node_modules"))
    program("cmark-gfm")
    if not installed(CHECKOUT / "reports/browser/package.json", folder):
        skip("the packages were not installed (see report_browser_packages)")
    site = folder / "site"
    subprocess.run([sys.executable, HERE / "make.py", os.environ["HEPCHECK"], site], check=True)
    # Node looks for modules next to the file that imports them.
    shutil.copy(HERE / "browser_test.mjs", folder)
    return subprocess.run([program("node"), "--test", "--test-reporter=spec", "browser_test.mjs"], cwd=folder,
                          env={**environment, "SITE": str(site)}).returncode


if __name__ == "__main__":
    sys.exit(test(pathlib.Path(sys.argv[1]).resolve()))
