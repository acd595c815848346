"""RNTuples in ROOT files for the generators: see generators/formats.py."""

from ..recipe import Catalogue
from .bases import ints

catalogue = Catalogue("rntuple", base=ints, suffix=ints.suffix)
valid, invalid = catalogue.valid, catalogue.invalid


def good(clause, slug, shows, base=ints, change=None, **options):
    """A valid fixture; `change` changes the file."""
    valid(clause, slug, shows, base=base, **options)(change or (lambda file: None))


def bad(clause, slug, shows, base=ints, change=None, **options):
    """A fixture with one defect."""
    invalid(clause, slug, shows, base=base, **options)(change or (lambda file: None))


def put(thing, **attributes):
    """Sets attributes, and entries of dictionaries: put(ntuple, edit={"header": f})."""
    for name, value in attributes.items():
        old = getattr(thing, name)
        if isinstance(old, dict) and isinstance(value, dict):
            old.update(value)
        else:
            setattr(thing, name, value)


def make(recipe):
    file = recipe.mutated()
    content = file.bytes()
    return content, file.subject if hasattr(file, "subject") else "/" + path_of(file)


def path_of(file):
    """The path of the first RNTuple."""
    from .root import Directory
    names, member = [], file.top
    while isinstance(member, Directory):
        if member is not file.top:
            names.append(member.name)
        member = member.members[0]
    names.append(member.key_name or member.name)
    return "/".join(names)


def made_with():
    import zlib
    version = getattr(zlib, "ZLIB_RUNTIME_VERSION", zlib.ZLIB_VERSION)
    return {"zlib": version}
