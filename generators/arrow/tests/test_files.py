"""Tests that the fixtures have their stated properties."""

import functools
import unittest

from generators import formats
from generators.arrow.format import made_of
from generators.arrow.ipc import CONTINUATION, END, MAGIC, OLD_END, File, Message

FORMAT = formats.find("arrow")


@functools.cache
def contents():
    """{path of a recipe: its bytes}"""
    return {recipe.path: made_of(recipe).bytes() for recipe in FORMAT.recipes()}


class Files(unittest.TestCase):
    def test_broken_ones_differ(self):
        sound = {contents()[recipe.path]: recipe.path for recipe in FORMAT.recipes("valid/*")}
        for recipe in FORMAT.recipes("invalid/*"):
            with self.subTest(recipe.path):
                self.assertNotIn(contents()[recipe.path], sound)

    def test_all_fixtures_differ(self):
        seen = {}
        for recipe in FORMAT.recipes():
            content = contents()[recipe.path]
            if recipe.expected.kind == "invalid":
                self.assertNotIn(content, seen, f"{recipe.path} and {seen.get(content)}")
                seen[content] = recipe.path

    def test_small(self):
        for recipe in FORMAT.recipes():
            self.assertLess(len(contents()[recipe.path]), 128 << 10, recipe.path)

    def test_generation_is_reproducible(self):
        for recipe in FORMAT.recipes():
            self.assertEqual(made_of(recipe).bytes(), contents()[recipe.path], recipe.path)

    def test_framing_of_valid_fixtures(self):
        for recipe in FORMAT.recipes("valid/*"):
            with self.subTest(recipe.path):
                self.walk(made_of(recipe))

    def walk(self, stream):
        """Reads only the bytes: to the end marker, or to the end of a stream without one."""
        content = stream.bytes()
        at = 0
        if isinstance(stream, File):
            self.assertEqual((content[:8], content[-6:]), (MAGIC + bytes(2), MAGIC))
            at = 8
        for message in stream.messages:
            self.assertEqual(at, message.at)
            if not stream.old:
                self.assertEqual(content[at:at + 4], CONTINUATION)
                at += 4
            size = int.from_bytes(content[at:at + 4], "little")
            at += 4 + size
            self.assertEqual(at % 8, 0)
            at += message.lengths[1]
        marker = content[at:at + 8]
        self.assertTrue(marker in (END, b"") or stream.old and marker[:4] == OLD_END, marker)

    def test_styles_vary(self):
        styles = {repr(made_of(recipe).style) for recipe in FORMAT.recipes("valid/*")}
        self.assertGreater(len(styles), 6)

    def test_most_bodies_are_aligned_to_64(self):
        for recipe in FORMAT.recipes("valid/*"):
            if "arrow-buffer-align-64" not in recipe.expected.informs:
                stream = made_of(recipe)
                for message in stream.messages:
                    if isinstance(message, Message) and message.batch is not None:
                        _, entries = message.batch.laid_out(stream.order)
                        self.assertFalse([o for o, n in entries if n > 0 and o % 64], recipe.path)


if __name__ == "__main__":
    unittest.main()
