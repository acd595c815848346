"""Risks of the file as a whole, of the File Format Specification."""

from generators.hdf5 import *

from .s29_shared_messages import shared
from .s40_datatype_classes import plain, sound
from .s42_filter_values import by
from .s44_links_and_groups import external_b


def behind(content):
    def base():
        made = plain(I32)()
        made.image.behind = content
        return made
    return base


def before(content):
    def base():
        made = plain(I32)()
        made.user_block = content.ljust(512, b"\0")
        return made
    return base


sound("h5-risk-trailing-bytes", "none", "A file that ends at its end.", plain(I32),
      keeps=["h5-risk-user-block", "h5-risk-open-for-writing", "h5-risk-cache-image",
             "h5-risk-driver"])
for slug, content in (("23", b"x" * 23), ("zip", b"PK\3\4archive"), ("zero", b"\0")):
    invalid("h5-risk-trailing-bytes", slug, f"{len(content)} bytes after the end.",
            base=behind(content))(lambda f: None)
sound("h5-risk-user-block", "zeros", "A user block of zeros.", before(b""))
for slug, content in (("script", b"#!/bin/sh\n"), ("matlab", b"MATLAB 7.3 MAT-file")):
    invalid("h5-risk-user-block", slug, f"A user block that begins with {content!r}.",
            base=before(content))(lambda f: None)
sound("h5-risk-open-for-writing", "0", "Flags 0.", plain(I32))
for flags in (1, 5):
    changed("h5-risk-open-for-writing", str(flags), f"Status flags {flags}.",
            {"superblock: flags": flags}, base=plain(I32), also=["swmr-superblock-status-closed"])


def leaving_and_needing_code():
    made = by(305)()
    made.root.links.update(external_b())
    return made


sound("h5-risk-profile", "plain", "A file of numbers.", plain(I32))
invalid("h5-risk-profile", "two-words", "A link into another file, and a filter that is a plugin.",
        base=leaving_and_needing_code, outcome="unchecked",
        informs={"h5-risk-external-link", "h5-risk-filter-plugin", "h5-risk-profile"})(
            lambda f: None)


# Many attributes: shared ones have fourteen bytes each, so that the file is not long --------------

sound("h5-risk-objects-many", "1000-attributes", "Twenty groups of fifty attributes.", shared(50, cutoffs=(50, 0), groups=19))
invalid("h5-risk-objects-many", "100001-attributes", "100,001 attributes.",
        base=shared(250, unused=249, cutoffs=(250, 0), groups=400))(lambda f: None)
