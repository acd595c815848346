"""The software bill of materials of the program, in SPDX 2.3: what is linked into it, from which Debian packages."""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess

# Libraries that consist of headers are not in the link command.
HEADERS = {"/usr/include/nlohmann/json.hpp", "/usr/include/CLI/CLI.hpp", "/usr/include/toml++/toml.hpp"}
# What the compiler links without being asked.
COMPILER = ("libc.a", "libstdc++.a", "libgcc.a", "libm.a")
# Debian names licences in a file of each package that the roots leave out.
LICENCES = {
    "libaec-dev": "BSD-2-Clause",
    "libbz2-dev": "bzip2-1.0.6",
    "libc6-dev": "LGPL-2.1-or-later",
    "libcli11-dev": "BSD-3-Clause",
    "libdeflate-dev": "MIT",
    "liblz4-dev": "BSD-2-Clause",
    "liblzma-dev": "0BSD",
    "libmd-dev": "BSD-3-Clause AND BSD-2-Clause AND ISC",
    "libseccomp-dev": "LGPL-2.1-only",
    "libtomlplusplus-dev": "MIT",
    "libxxhash-dev": "BSD-2-Clause",
    "libzstd-dev": "BSD-3-Clause",
    "nlohmann-json3-dev": "MIT",
    "zlib1g-dev": "Zlib",
    # What WebAssembly is made of: source packages, and the C and C++ libraries of emscripten.
    "bzip2": "bzip2-1.0.6",
    "emscripten": "MIT AND (Apache-2.0 WITH LLVM-exception)",
    "libdeflate": "MIT",
    "libmd": "BSD-3-Clause AND BSD-2-Clause AND ISC",
    "libzstd": "BSD-3-Clause",
    "lz4": "BSD-2-Clause",
    "xxhash": "BSD-2-Clause",
    "xz-utils": "0BSD",
    "zlib": "Zlib",
}
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def archives(build):
    """The static libraries of the system in the command that links the program."""
    command = output("ninja", "-C", build, "-t", "commands", "-s", "hepcheck").splitlines()[-1]
    return {found for found in re.findall(r"(/usr/\S+\.a)\b", command)}


def packages(build):
    """Name, version and architecture of each Debian package of which the program contains a part."""
    files = archives(build) | HEADERS | {output("g++", f"-print-file-name={name}").strip() for name in COMPILER}
    owners = set()
    for file in sorted(files):
        owners.add(output("dpkg-query", "-S", pathlib.Path(file).resolve()).split(":")[0])
    return sorted(tuple(output("dpkg-query", "-W", "-f", "${Package} ${Version} amd64", each).split()) for each in owners)


def parts_of_wasm(build):
    """The same of the build for WebAssembly, which ./dev wasm has recorded."""
    return sorted(tuple(line.split()) for line in (build / "parts.txt").read_text().splitlines())


def licence(package):
    if re.fullmatch(r"lib(stdc\+\+|gcc)-[0-9]+-dev", package):
        return GCC
    return LICENCES[package]  # a new dependency needs a line above


def document(parts, program, version, time):
    digest = hashlib.sha256(program.read_bytes()).hexdigest()

    def spdx_id(name):
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)

    def described(name, version, terms, supplier):
        return {"SPDXID": spdx_id(name), "name": name, "versionInfo": version, "supplier": supplier,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": terms,
                "licenseDeclared": terms, "copyrightText": "NOASSERTION"}

    own = described("hepcheck", version, "Apache-2.0", "NOASSERTION")
    own["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    all_packages = [own]
    for name, number, architecture in parts:
        each = described(name, number, licence(name), "Organization: Debian")
        each["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                 "referenceLocator": f"pkg:deb/debian/{name}@{number}?arch={architecture}"}]
        all_packages.append(each)
    bill = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"hepcheck-{version}",
        "documentNamespace": f"urn:hepcheck:sbom:{version}:{digest}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: hepcheck packaging/sbom.py"],
        },
        "packages": all_packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": spdx_id("hepcheck")},
            *({"spdxElementId": spdx_id("hepcheck"), "relationshipType": "STATIC_LINK", "relatedSpdxElement": spdx_id(name)}
              for name, *_ in parts),
        ],
    }
    return json.dumps(bill, indent=1) + "\n"
