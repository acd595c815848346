// The arrays of a batch in pre-order: each field, its buffers, its children.
#pragma once

#include <functional>

#include "validator/formats/arrow/array.h"

namespace hepcheck::arrow {

// A range of columns of a batch: the first of them, and the bytes of their buffers.
struct ColumnRange {
  std::size_t begin = 0, end = 0;
  std::uint32_t node = 0, buffer = 0, view = 0;
  std::uint64_t bytes = 0;
};
// All columns of a batch with valid counts, divided so that no range has many more than `bytes`.
std::vector<ColumnRange> divided(const Batch& batch, const Columns& columns, std::uint64_t bytes);

class Arrays {
 public:
  // Receives the keys of each dictionary-encoded array.
  using OnKeys = std::function<void(const Keys&)>;

  // What is known of a dictionary when the arrays of a record batch use it; null: nothing.
  using UnwantedOf = std::function<const Unwanted*(const Field&)>;

  // For a batch with valid counts. `on_keys` is called while the path of the array exists.
  // `unwanted_of`: for a record batch. `unwanted`: receives those of the values of a dictionary.
  Arrays(Body& body, std::endian order, Notes& notes, OnKeys on_keys, UnwantedOf unwanted_of,
         Unwanted* unwanted);

  void columns(const Columns& columns, const ColumnRange& range, const Path& batch);

 private:
  void column(const Field& field, const ArrayLayout& layout, const Path& path, Role role);
  void array(const Field& field, const ArrayLayout& layout, const Path& path, const Cover& cover,
             Role role, const MapSlots* keys, const Runs* runs = nullptr);
  // The array whose node is the next one, and its nulls.
  Array started(const Field& field, const ArrayLayout& layout, const Path& path, const Cover& cover,
                Role role, const Runs* runs = nullptr);
  void fixed(Array& it, const MapSlots* keys);
  void binary(Array& it, const MapSlots* keys);
  void list_of(Array& it);
  void fixed_size_list(Array& it);
  void struct_of(Array& it, const MapSlots* keys);
  // In the nodes, buffers and view counts of the batch.
  struct Position {
    std::uint32_t node = 0, buffer = 0, view = 0;
  };
  Position position() const { return {node_, buffer_, view_}; }
  void go_to(const Position& at) {
    node_ = at.node;
    buffer_ = at.buffer;
    view_ = at.view;
  }
  void skip(const Field& field);
  void tensors(Array& it, const Position& begin);
  void union_of(Array& it);
  void dictionary(Array& it);
  void view(Array& it, const MapSlots* keys);
  void list_view(Array& it);
  void run_ended(Array& it);
  // Under a specification that does not have its type.
  void newer(Array& it);
  std::vector<Loaded> load_data_buffers(Array& it, unsigned number, Want want);
  void load_first(Array& it, Want want);
  void load_second(Array& it, Want want);
  Loaded next_buffer(Array& it, unsigned number, Want want);
  void child(const Array& parent, std::size_t i, const Cover& cover, Role role = Role::kPlain,
             const MapSlots* keys = nullptr, const Runs* runs = nullptr);
  std::vector<std::int64_t> child_lengths(const Array& it) const;
  std::uint64_t byte_of_node(std::uint32_t node) const;

  Body& body_;
  const Batch& batch_;
  std::endian order_;
  bool union_validity_;
  bool judges_newer_;  // the types that came after format 1.0
  Notes& notes_;
  OnKeys on_keys_;
  UnwantedOf unwanted_of_;
  Unwanted* unwanted_;
  std::uint32_t node_ = 0, buffer_ = 0, view_ = 0;
};

}  // namespace hepcheck::arrow
