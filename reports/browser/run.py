"""Opens the HTML report in Chromium: run.py packages | test, both with the build folder.

Where node, npm, Chromium or a package registry cannot be reached, the status is 77 (skipped) and
the reason is said."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
SKIPPED = 77
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def program(*names):
    found = next(filter(None, map(shutil.which, names)), None)
    return found or skip(f"there is no {' or '.join(names)} on this machine")


def installed(folder):
    """The packages stand there in just the versions that package.json names."""
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]
    def version(name):
        file = folder / "node_modules" / name / "package.json"
        return json.loads(file.read_text())["version"] if file.exists() else None
    return all(version(name) == wanted[name] for name in wanted)


def install(folder):
    npm = program("npm")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", folder)
    if installed(folder):
        return
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts",
               "--fetch-retries=1", "--prefix", str(folder)]
    try:
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        skip("npm took too long to reach a package registry")
    if not installed(folder):
        skip(f"npm could not install the packages:\n{result.stdout}{result.stderr}")


def test(folder):
    environment = dict(os.environ, CHROMIUM=program(*BROWSERS), NODE_PATH=str(folder / "node_modules"))
    if not installed(folder):
        skip("the packages were not installed (see report_browser_packages)")
    import report_testing
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    report_testing.make_hostile(work / "hostile.h5")
    # Modules are looked for beside the file that imports them.
    shutil.copy(HERE / "report_test.mjs", folder)
    environment.update(FIXTURES=str(report_testing.FIXTURES), WORK=str(work),
                       HEPCHECK=str(report_testing.HEPCHECK))
    return subprocess.run([program("node"), "--test", "--test-reporter=spec", "report_test.mjs"],
                          cwd=folder, env=environment).returncode


if __name__ == "__main__":
    what, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    sys.exit({"packages": install, "test": test}[what](build))
