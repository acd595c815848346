"""Makes the packages of a statically linked program: a tarball, a Debian package and a Python wheel; and an npm package of
the build for WebAssembly.

usage: build.py BUILD WASM OUT

BUILD is the build directory of the preset `portable`, WASM that of `wasm`, of which the npm package is made; it is left
out if there is none. The packages, a software bill of materials and their SHA-256
digests are written to OUT, which is emptied first. Two runs over the same commit write the same bytes: every time in a
package is that of the commit (or SOURCE_DATE_EPOCH), and names and owners do not depend on the machine."""

import email.utils
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

import sbom

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
HERE = CHECKOUT / "packaging"
sys.path.insert(0, str(CHECKOUT / "bindings/python"))
import version as project  # noqa: E402

VERSION = project.__version__
# A static program needs no library of the system: it runs with any glibc, and with musl.
WHEEL_PLATFORM = "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def output(*command):
    return run(*command, capture_output=True).stdout


def commit_time():
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    return int(output("git", "-C", CHECKOUT, "log", "-1", "--format=%ct"))


def need_static(program):
    headers = output("readelf", "--program-headers", program).decode()
    if "INTERP" in headers:
        raise SystemExit(f"packages need a statically linked program, and {program} is not one")


def put(path, content, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)


def compressed(content):
    made = io.BytesIO()
    with gzip.GzipFile(fileobj=made, mode="wb", mtime=0, filename="") as to:
        to.write(content)
    return made.getvalue()


def installed(program, prefix, bill):
    """The files that an installation has, below `prefix`."""
    put(prefix / "bin/hepcheck", program.read_bytes(), 0o755)
    put(prefix / "share/man/man1/hepcheck.1.gz", compressed((CHECKOUT / "docs/hepcheck.1").read_bytes()))
    for shell, place in (("bash", "bash-completion/completions/hepcheck"), ("zsh", "zsh/site-functions/_hepcheck"),
                         ("fish", "fish/vendor_completions.d/hepcheck.fish")):
        put(prefix / "share" / place, output(program, "completion", shell))
    for schema in sorted((CHECKOUT / "reports/schema").glob("*.json")):
        put(prefix / "share/hepcheck/schema" / schema.name, schema.read_bytes())
    put(prefix / "share/doc/hepcheck/hepcheck.spdx.json", bill)


def tar_gz(folder, name, to, time):
    """A tarball of `folder` as `name`, with sorted members and no owner."""
    def plain(member):
        member.uid = member.gid = 0
        member.uname = member.gname = "root"
        member.mtime = time
        return member

    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in [folder, *sorted(folder.rglob("*"))]:
            archive.add(path, name + str(path)[len(str(folder)):], recursive=False, filter=plain)
    to.write_bytes(compressed(content.getvalue()))


def tarball(program, out, bill, time):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "tree"
        installed(program, root, bill)
        for name in ("README.md", "LICENSE", "CHANGELOG.md"):
            put(root / name, (CHECKOUT / name).read_bytes())
        fix_modes(root)
        name = f"hepcheck-{VERSION}-linux-x86_64"
        tar_gz(root, name, out / f"{name}.tar.gz", time)


def fix_modes(root):
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)


def debian_package(program, out, bill, time):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "tree"
        installed(program, root / "usr", bill)
        (root / "usr/share/zsh/site-functions").rename(root / "usr/share/zsh/vendor-completions")
        doc = root / "usr/share/doc/hepcheck"
        put(doc / "copyright", (HERE / "debian/copyright").read_bytes())
        put(doc / "CHANGELOG.md.gz", compressed((CHECKOUT / "CHANGELOG.md").read_bytes()))
        changes = (HERE / "debian/changelog").read_text().format(version=VERSION, date=email.utils.formatdate(time))
        put(doc / "changelog.gz", compressed(changes.encode()))
        put(root / "usr/share/lintian/overrides/hepcheck", (HERE / "debian/lintian-overrides").read_bytes())
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
        control = (HERE / "debian/control").read_text().format(version=VERSION, size=(size + 1023) // 1024)
        put(root / "DEBIAN/control", control)
        sums = "".join(f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n"
                       for path in sorted((root / "usr").rglob("*")) if path.is_file())
        put(root / "DEBIAN/md5sums", sums)
        fix_modes(root)
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, out / f"hepcheck_{VERSION}_amd64.deb",
            env={**os.environ, "SOURCE_DATE_EPOCH": str(time)}, stdout=subprocess.DEVNULL)


def wheel(program, out, time):
    with tempfile.TemporaryDirectory() as folder:
        # The backend keeps the modes of the files.
        copy = pathlib.Path(folder) / "hepcheck"
        put(copy, program.read_bytes(), 0o755)
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=CHECKOUT / "bindings/python",
            stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(time), "HEPCHECK_PROGRAM": str(copy),
                 "HEPCHECK_PLATFORM": WHEEL_PLATFORM})


def npm_files(wasm, root, bill):
    """The files of the npm package, in a directory that does not exist."""
    shutil.copytree(HERE / "npm", root)
    about = json.loads((root / "package.json").read_text())
    about["version"] = VERSION
    put(root / "package.json", json.dumps(about, indent=2) + "\n")
    for name in ("hepcheck.cjs", "hepcheck.wasm"):
        put(root / name, (wasm / name).read_bytes())
    put(root / "host.cjs", (CHECKOUT / "cli/wasm/host.js").read_bytes())
    put(root / "LICENSE", (CHECKOUT / "LICENSE").read_bytes())
    put(root / "hepcheck.spdx.json", bill)
    put(root / "report.schema.json", (CHECKOUT / "reports/schema/report.schema.json").read_bytes())
    (root / "hepcheck.mjs").chmod(0o755)
    fix_modes(root)


def npm_package(wasm, out, time):
    bill = sbom.document(sbom.parts_of_wasm(wasm), wasm / "hepcheck.wasm", VERSION, time)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "package"
        npm_files(wasm, root, bill)
        tar_gz(root, "package", out / f"hepcheck-{VERSION}.tgz", time)


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    build, wasm, out = (pathlib.Path(each).resolve() for each in sys.argv[1:])
    need_static(build / "hepcheck")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    time = commit_time()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "hepcheck"
        run("strip", "-o", program, build / "hepcheck")
        bill = sbom.document(sbom.packages(build), program, VERSION, time)
        tarball(program, out, bill, time)
        debian_package(program, out, bill, time)
        wheel(program, out, time)
    if (wasm / "parts.txt").exists():
        npm_package(wasm, out, time)
    else:
        print("without the npm package: there is no build for WebAssembly (./dev wasm)")
    put(out / "hepcheck.spdx.json", bill)
    names = sorted(path.name for path in out.iterdir())
    sums = "".join(f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    put(out / "SHA256SUMS", sums)
    print(sums, end="")


if __name__ == "__main__":
    main()
