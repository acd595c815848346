#include "validator/formats/hep001/own/dataset.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/own/attribute.h"
#include "validator/formats/hep001/own/elements.h"
#include "validator/formats/hep001/storage/decode.h"
#include "validator/formats/hep001/storage/lzf.h"
#include "validator/formats/hep001/storage/packed.h"
#include "validator/integers.h"

namespace hepcheck::hep001::own {

namespace {

// The names that filters have without a name of their own in the file.
std::string_view usual_name(int id) {
  switch (id) {
    case 1: return "deflate";
    case 2: return "shuffle";
    case 3: return "fletcher32";
    case kSzipFilter: return "szip";
    case kNbitFilter: return "nbit";
    case kScaleOffsetFilter: return "scaleoffset";
    case kLzfFilter: return "lzf";
    default: return "";
  }
}

bool available(int id) {
  return (id >= 1 && id <= 3) || id == kNbitFilter || id == kScaleOffsetFilter ||
         id == kLzfFilter || (id == kSzipFilter && has_szip());
}

std::vector<Filter> filters_of(const hdf5::Filters& stored) {
  constexpr std::size_t kMostParameters = 32;  // that the model has
  std::vector<Filter> filters;
  for (const hdf5::Filter& each : stored.list) {
    Filter filter{.id = each.id, .name = until_zero(each.name), .optional = (each.flags & 1U) != 0};
    if (filter.name.empty()) filter.name = usual_name(filter.id);
    const auto parameters =
        std::span(each.values).first(std::min(kMostParameters, each.values.size()));
    filter.parameters.assign(parameters.begin(), parameters.end());
    filter.available = available(filter.id);
    filters.push_back(std::move(filter));
  }
  return filters;
}

FillState state_of(const std::optional<hdf5::Fill>& fill) {
  constexpr unsigned kUndefinedFlag = 0x10;
  if (!fill) return FillState::kDefault;
  if (fill->has_value()) return FillState::kUserDefined;
  const bool undefined = fill->old ? true
                         : fill->version == 3
                             ? (fill->flags & kUndefinedFlag) != 0
                             : fill->defined == 0 || (fill->size && *fill->size < 0);
  return undefined ? FillState::kUndefined : FillState::kDefault;
}

void read_fill(const hdf5::Dataset& dataset, const ElementForm& form, const Datatype& model,
               Context& context, Storage& into) {
  into.fill_state = state_of(dataset.fill);
  if (into.fill_state != FillState::kUserDefined) return;
  const std::vector<std::byte>& stored = dataset.fill->value;
  if (stored.size() != form.stored_size) {
    into.fill_unreadable = "its size is not that of the datatype";
    return;
  }
  if (model.variable_string()) {
    HeapText text = heap_text(stored, context);
    into.fill_unreadable = std::move(text.trouble);
    if (!into.fill_unreadable) into.fill_string = text.text.value_or("");
    return;
  }
  std::vector<std::byte> value(form.size);
  Elements elements(context);
  into.fill_unreadable = elements.convert(form, stored, value);
  if (into.fill_unreadable) return;
  if (has_variable_part(model))
    into.fill_form = comparable_form(model, value);
  else
    into.fill = std::move(value);
}

Storage storage_of(const hdf5::Dataset& dataset, const ElementForm& form, const Datatype& model,
                   Context& context) {
  Storage into;
  const hdf5::DataLayout& layout = dataset.layout;
  switch (layout.layout_class()) {
    case hdf5::LayoutClass::kCompact: into.layout = StorageLayout::kCompact; break;
    case hdf5::LayoutClass::kContiguous:
      into.layout = dataset.external ? StorageLayout::kExternal : StorageLayout::kContiguous;
      break;
    case hdf5::LayoutClass::kChunked:
      into.layout = StorageLayout::kChunked;
      into.chunk.assign(dataset.chunk().begin(), dataset.chunk().end());
      break;
    case hdf5::LayoutClass::kVirtual: into.layout = StorageLayout::kVirtual; break;
  }
  into.filters = filters_of(dataset.filters);
  read_fill(dataset, form, model, context, into);
  const std::uint64_t bytes = product(dataset.space.elements(), dataset.type.size);
  if (into.layout == StorageLayout::kContiguous && layout.address != hdf5::kUndefined &&
      (layout.version < 3 || layout.size == bytes) && form.copied())
    into.address = context.container().base + layout.address;
  return into;
}

}  // namespace

std::optional<StoredDataset> read_stored(const hdf5::ObjectHeader& header, const std::string& path,
                                         Context& context, std::optional<std::string>& trouble,
                                         Datatype* model) {
  StoredDataset made;
  {
    const Attempt attempt(context);
    made.messages = hdf5::read_dataset(header, path, context.container(), context.walk.shared());
    trouble = attempt.trouble();
    if (!trouble && made.messages.known != hdf5::Dataset::Known::kLayout)
      trouble = "its messages are refused";
  }
  if (trouble) return std::nullopt;
  ReadType type = context.type(made.messages.type, trouble);
  if (trouble) return std::nullopt;
  if (model) *model = std::move(type.model);
  made.form = std::move(type.form);
  return made;
}

Dataset read_dataset(const hdf5::ObjectHeader& header, std::string name, std::string path,
                     const ObjectToken& token, Context& context) {
  Dataset into{.name = std::move(name), .path = std::move(path), .token = token};
  const auto stored = read_stored(header, into.path, context, into.unreadable, &into.type);
  if (!stored) return into;
  into.storage = storage_of(stored->messages, *stored->form, into.type, context);
  into.space = space_of(stored->messages.space);
  into.attributes = read_attributes(header, context, into.attributes_unreadable);
  return into;
}

}  // namespace hepcheck::hep001::own
