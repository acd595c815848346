// The arrays of a batch, one after the other: each field in pre-order, its buffers, its children.
#pragma once

#include <functional>

#include "validator/formats/arrow/array.h"

namespace hepcheck::arrow {

class Arrays {
 public:
  // Told of the keys of each dictionary-encoded array.
  using Told = std::function<void(const Keys&)>;

  // Of a batch whose counts hold. `told` is called while the path of the array lives.
  Arrays(Body& body, std::endian order, Notes& notes, Told told);

  // All columns, from the first node and the first buffer on.
  void columns(const Columns& columns, const Path& batch);

 private:
  void column(const Field& field, const Layout& layout, const Path& path, Role role);
  void array(const Field& field, const Layout& layout, const Path& path, const Cover& cover,
             Role role, const MapSlots* keys);
  void fixed(Array& it, const MapSlots* keys);
  void binary(Array& it, const MapSlots* keys);
  void list_of(Array& it);
  void fixed_size_list(Array& it);
  void struct_of(Array& it, const MapSlots* keys);
  void union_of(Array& it);
  void dictionary(Array& it);
  void newer(Array& it);
  void load_first(Array& it, bool contents);
  void load_second(Array& it, bool contents);
  Loaded next_buffer(Array& it, unsigned number, bool contents);
  void child(const Array& parent, std::size_t i, const Cover& cover, Role role = Role::kPlain,
             const MapSlots* keys = nullptr);
  std::vector<std::int64_t> child_lengths(const Array& it) const;
  std::uint64_t byte_of_node(std::uint32_t node) const;

  Body& body_;
  const Batch& batch_;
  std::endian order_;
  bool union_validity_;
  Notes& notes_;
  Told told_;
  std::uint32_t node_ = 0, buffer_ = 0, view_ = 0;
};

}  // namespace hepcheck::arrow
