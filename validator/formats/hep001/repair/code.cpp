#include "validator/formats/hep001/repair/code.h"

#include <algorithm>
#include <format>
#include <string_view>

#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/repair/cases.h"

namespace hepcheck::hep001 {

namespace {

using Lines = std::vector<std::string>;

// A text as a literal that both languages read alike.
std::string quoted(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      made += std::format("\\{}", c);
    else if (byte < 0x20 || byte == 0x7f)
      made += std::format("\\{:03o}", byte);
    else
      made += c;
  }
  return made + '"';
}

// The same as bytes in Python.
std::string python_bytes(std::string_view text) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return c >= 0 && c < 0x7f; });
  return ascii ? "b" + quoted(text) : quoted(text) + ".encode()";
}

// "<u8", or empty if there is no such name.
std::string numpy_type(const Datatype& type) {
  const char order = type.order == ByteOrder::kBig ? '>' : '<';
  if (type.precision != 8 * type.size) return {};
  if (type.is(TypeClass::kInteger))
    return std::format("{}{}{}", order, type.is_signed ? 'i' : 'u', type.size);
  if (is_ieee_float(type)) return std::format("{}f{}", order, type.size);
  return {};
}
std::string native_type(const Datatype& type) {
  const char* order = type.order == ByteOrder::kBig ? "BE" : "LE";
  if (type.is(TypeClass::kInteger))
    return std::format("H5T_STD_{}{}{}", type.is_signed ? 'I' : 'U', 8 * type.size, order);
  return std::format("H5T_IEEE_F{}{}", 8 * type.size, order);
}

std::string number_text(const Attribute& value) { return format_value(value.type, value.bytes); }

// --- h5py

void python_drop(const Attribute& value, Lines& lines) {
  lines.push_back(std::format("if {0} in target.attrs: del target.attrs[{0}]", quoted(value.name)));
}

void python_string(const Step& step, Lines& lines) {
  const Attribute& value = step.value;
  const bool ascii = value.type.character_set == CharacterSet::kAscii;
  const bool scalar = value.space.scalar();
  std::string values;
  for (const std::string& each : string_elements(value))
    values += (values.empty() ? "" : ", ") + python_bytes(each);
  if (!scalar) values = "[" + values + "]";
  if (value.type.padding == StringPadding::kNullPad) {
    lines.push_back(std::format("target.attrs.create({}, {}, dtype=h5py.string_dtype(\"{}\", {}))",
                                quoted(value.name), values, ascii ? "ascii" : "utf-8",
                                value.type.size));
    return;
  }
  python_drop(value, lines);
  lines.push_back("text = h5py.h5t.C_S1.copy()  # terminated by a NUL");
  lines.push_back(std::format("text.set_size({})", value.type.size));
  lines.push_back(std::format("text.set_cset(h5py.h5t.CSET_{})", ascii ? "ASCII" : "UTF8"));
  lines.push_back(std::format("space = h5py.h5s.create{}",
                              scalar ? std::string("(h5py.h5s.SCALAR)")
                                     : std::format("_simple(({},))", value.space.elements())));
  lines.push_back(std::format("attribute = h5py.h5a.create(target.id, {}, text, space)",
                              python_bytes(value.name)));
  lines.push_back(std::format("attribute.write(np.array({}, dtype=\"S{}\"), mtype=text)", values,
                              value.type.size));
}

void python_references(const Step& step, Lines& lines) {
  const Attribute& value = step.value;
  python_drop(value, lines);
  std::string paths;
  for (const Reference& each : value.references)
    paths += (paths.empty() ? "" : ", ") + python_bytes(each.path);
  lines.push_back("# h5py does not know H5T_STD_REF, but the HDF5 library that it loaded does.");
  lines.push_back("hdf5, hid = ctypes.CDLL(h5py.h5f.__file__), ctypes.c_int64");
  lines.push_back("hdf5.H5Acreate2.restype = hid");
  lines.push_back("std_ref = hid.in_dll(hdf5, \"H5T_STD_REF_g\")");
  lines.push_back(std::format("refs = (ctypes.c_byte * 64 * {})()", value.references.size()));
  lines.push_back(std::format("for ref, path in zip(refs, [{}]):", paths));
  lines.push_back("    hdf5.H5Rcreate_object(hid(file.id.id), path, hid(0), ref)");
  lines.push_back(value.space.scalar() ? std::string("space = h5py.h5s.create(h5py.h5s.SCALAR)")
                                       : std::format("space = h5py.h5s.create_simple(({},))",
                                                     value.references.size()));
  lines.push_back(std::format("attribute = hid(hdf5.H5Acreate2(hid(target.id.id), {}, std_ref,",
                              python_bytes(value.name)));
  lines.push_back("                                hid(space.id), hid(0), hid(0)))");
  lines.push_back("hdf5.H5Awrite(attribute, std_ref, refs)");
  lines.push_back("hdf5.H5Aclose(attribute)");
}

void python_put(const Step& step, Lines& lines) {
  const Attribute& value = step.value;
  lines.push_back(std::format("target = file[{}]", quoted(step.path)));
  if (value.type.is(TypeClass::kReference)) return python_references(step, lines);
  if (value.type.is(TypeClass::kString)) return python_string(step, lines);
  if (is_hep001_boolean(value.type)) {
    lines.push_back(std::format("target.attrs.create({}, {}, dtype=bool)", quoted(value.name),
                                value.bytes == std::vector{std::byte{1}} ? "True" : "False"));
    return;
  }
  if (const std::string type = numpy_type(value.type); !type.empty())
    lines.push_back(std::format("target.attrs.create({}, {}, dtype=\"{}\")", quoted(value.name),
                                number_text(value), type));
  else
    lines.push_back(std::format("# write {} as {}: {}", value.name, describe(value.type),
                                describe_value(value)));
}

void python_of(const Step& step, Lines& lines) {
  switch (step.kind) {
    case Step::Kind::kPutAttribute: return python_put(step, lines);
    case Step::Kind::kDropAttribute:
      lines.push_back(std::format("del file[{}].attrs[{}]", quoted(step.path), quoted(step.name)));
      break;
    case Step::Kind::kRenameAttribute:
      lines.push_back(std::format("h5py.h5a.rename(file[{}].id, {}, {})", quoted(step.path),
                                  python_bytes(step.name), python_bytes(step.other)));
      break;
    case Step::Kind::kUnlink:
      lines.push_back(std::format("del file[{}]", quoted(step.path)));
      break;
    case Step::Kind::kLink:
      lines.push_back(std::format("file[{}] = file[{}]", quoted(step.path), quoted(step.other)));
      break;
    case Step::Kind::kMove:
      lines.push_back(std::format("file.move({}, {})", quoted(step.path), quoted(step.other)));
      break;
    case Step::Kind::kExtend:
      lines.push_back(std::format("file[{}].resize(({},))", quoted(step.path), step.extent));
      break;
    case Step::Kind::kRecreate:
      lines.push_back(std::format("# create {} again with its chunks and attributes, {}", step.path,
                                  step.type ? "as " + describe(*step.type)
                                  : step.fill == Step::Fill::kRemove
                                      ? std::string("without a fill value")
                                      : std::string("with the new fill value")));
      break;
  }
}

// --- C

void c_put(const Step& step, Lines& lines) {
  const Attribute& value = step.value;
  const std::size_t count = value.space.scalar() ? 0 : value.space.elements();
  lines.push_back(std::format("hid_t target = H5Oopen(file, {}, H5P_DEFAULT);", quoted(step.path)));
  lines.push_back(
      std::format("if (H5Aexists(target, {0}) > 0) H5Adelete(target, {0});", quoted(value.name)));
  lines.push_back(
      value.space.scalar()
          ? std::string("hid_t space = H5Screate(H5S_SCALAR);")
          : std::format("hid_t space = H5Screate_simple(1, (hsize_t[]){{{}}}, NULL);", count));
  std::string data;
  if (value.type.is(TypeClass::kReference)) {
    lines.push_back("hid_t type = H5T_STD_REF;");
    lines.push_back(std::format("H5R_ref_t refs[{}];", value.references.size()));
    for (std::size_t i = 0; i < value.references.size(); ++i)
      lines.push_back(std::format("H5Rcreate_object(file, {}, H5P_DEFAULT, &refs[{}]);",
                                  quoted(value.references[i].path), i));
    data = "refs";
  } else if (value.type.is(TypeClass::kString)) {
    lines.push_back("hid_t type = H5Tcopy(H5T_C_S1);");
    lines.push_back(std::format("H5Tset_size(type, {});", value.type.size));
    lines.push_back(
        std::format("H5Tset_strpad(type, H5T_STR_{});",
                    value.type.padding == StringPadding::kNullTerm ? "NULLTERM" : "NULLPAD"));
    lines.push_back(
        std::format("H5Tset_cset(type, H5T_CSET_{});",
                    value.type.character_set == CharacterSet::kAscii ? "ASCII" : "UTF8"));
    std::string texts;
    for (const std::string& each : string_elements(value))
      texts += (texts.empty() ? "" : ", ") + quoted(each);
    lines.push_back(std::format("char values[][{}] = {{{}}};", value.type.size, texts));
    data = "values";
  } else if (is_hep001_boolean(value.type)) {
    lines.push_back("hid_t type = H5Tenum_create(H5T_STD_I8LE);");
    lines.push_back("H5Tenum_insert(type, \"FALSE\", (signed char[]){0});");
    lines.push_back("H5Tenum_insert(type, \"TRUE\", (signed char[]){1});");
    data = std::format("(signed char[]){{{}}}", std::to_integer<int>(value.bytes.front()));
  } else if (!numpy_type(value.type).empty()) {
    lines.push_back(std::format("hid_t type = {};", native_type(value.type)));
    std::string bytes;
    for (const std::byte each : value.bytes)
      bytes += std::format("{}0x{:02x}", bytes.empty() ? "" : ", ", std::to_integer<int>(each));
    lines.push_back(std::format("/* {} */", number_text(value)));
    data = std::format("(unsigned char[]){{{}}}", bytes);
  } else {
    lines.push_back(std::format("/* write {} as {} */", value.name, describe_value(value)));
    return;
  }
  lines.push_back(std::format(
      "hid_t attribute = H5Acreate2(target, {}, type, space, H5P_DEFAULT, H5P_DEFAULT);",
      quoted(value.name)));
  lines.push_back(std::format("H5Awrite(attribute, type, {});", data));
  lines.push_back("H5Aclose(attribute);");
  lines.push_back("H5Oclose(target);");
}

void c_of(const Step& step, Lines& lines) {
  const std::string path = quoted(step.path);
  const auto on_target = [&](const std::string& call) {
    lines.push_back(std::format("hid_t target = H5Oopen(file, {}, H5P_DEFAULT);", path));
    lines.push_back(call);
    lines.push_back("H5Oclose(target);");
  };
  switch (step.kind) {
    case Step::Kind::kPutAttribute: return c_put(step, lines);
    case Step::Kind::kDropAttribute:
      return on_target(std::format("H5Adelete(target, {});", quoted(step.name)));
    case Step::Kind::kRenameAttribute:
      return on_target(
          std::format("H5Arename(target, {}, {});", quoted(step.name), quoted(step.other)));
    case Step::Kind::kExtend:
      return on_target(std::format("H5Dset_extent(target, (hsize_t[]){{{}}});", step.extent));
    case Step::Kind::kUnlink:
      lines.push_back(std::format("H5Ldelete(file, {}, H5P_DEFAULT);", path));
      break;
    case Step::Kind::kLink:
      lines.push_back(std::format("H5Lcreate_hard(file, {}, file, {}, H5P_DEFAULT, H5P_DEFAULT);",
                                  quoted(step.other), path));
      break;
    case Step::Kind::kMove:
      lines.push_back(std::format("H5Lmove(file, {}, file, {}, H5P_DEFAULT, H5P_DEFAULT);", path,
                                  quoted(step.other)));
      break;
    case Step::Kind::kRecreate:
      lines.push_back(
          std::format("/* create {} again with its chunks and attributes */", step.path));
      break;
  }
}

}  // namespace

Code code_of(const std::vector<Step>& steps) {
  Code code;
  for (const Step& step : steps) {
    python_of(step, code.python);
    Lines lines;
    c_of(step, lines);
    // What a step declares is its own.
    if (lines.size() > 1) {
      code.c.emplace_back("{");
      for (const std::string& each : lines) code.c.push_back("  " + each);
      code.c.emplace_back("}");
    } else {
      code.c.insert(code.c.end(), lines.begin(), lines.end());
    }
  }
  return code;
}

Code code_of_index(const std::string& table, const std::string& index, const std::string& column) {
  const std::string command =
      column.empty() ? std::format("hepcheck repair: drop {}", index)
                     : std::format("hepcheck index build FILE:{} {} KIND --replace, for {}", table,
                                   column, index);
  return {.python = {"# " + command}, .c = {"/* " + command + " */"}};
}

}  // namespace hepcheck::hep001
