"""Makes the site and opens it in Chromium: browser.py PACKAGES [try], a directory with the packages of
reports/browser/package.json; `try`: only the page that examines files. HEPCHECK is the program.

If node, Chromium, cmark-gfm or the packages are missing, the status is 77 (skipped) and the reason is printed."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
sys.path[:0] = [str(CHECKOUT / "cmake")]

from npm_packages import program, skip, test_in_browser  # noqa: E402


def test(folder):
    def prepare():
        program("cmark-gfm")
        site = folder / "site"
        subprocess.run([sys.executable, HERE / "make.py", os.environ["HEPCHECK"], site], check=True)
        return {"SITE": str(site)}

    return test_in_browser(CHECKOUT / "reports/browser/package.json", folder, HERE / "browser_test.mjs", prepare)


def test_try(folder):
    """The page that examines files."""
    wasm = pathlib.Path(os.environ.get("HEPCHECK_WASM", CHECKOUT / "build/wasm"))
    if not (wasm / "hepcheck.wasm").exists():
        skip(f"there is no build for WebAssembly in {wasm} (./dev wasm)")

    def prepare():
        program("cmark-gfm")
        site, big = folder / "site", folder / "big.h5"
        subprocess.run([sys.executable, HERE / "make.py", os.environ["HEPCHECK"], site], check=True)
        subprocess.run([sys.executable, HERE / "big_table.py", big], check=True)
        archive = sorted((CHECKOUT / "fixtures/tiledb/valid/array-directory").glob("*.tar"))[0]
        subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
        return {"SITE": str(site), "BIG": str(big), "ARRAY": str(folder / "array"), "FIXTURES": str(CHECKOUT / "fixtures")}

    return test_in_browser(CHECKOUT / "reports/browser/package.json", folder, HERE / "try_test.mjs", prepare)


if __name__ == "__main__":
    which = test_try if sys.argv[2:] == ["try"] else test
    sys.exit(which(pathlib.Path(sys.argv[1]).resolve()))
