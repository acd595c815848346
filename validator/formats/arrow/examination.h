// Examines an input from its first to its last byte: a file, or a stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "validator/bytes.h"
#include "validator/formats/arrow/batches.h"
#include "validator/formats/arrow/footer.h"
#include "validator/formats/arrow/notes.h"
#include "validator/formats/arrow/schema.h"
#include "validator/options.h"

namespace hepcheck::arrow {

// It starts or ends with the magic of files.
bool is_file(const Bytes& input);
// Feather V1, another format.
bool is_feather_v1(const Bytes& input);
// It begins like the Schema message of a stream.
bool looks_like_stream(const Bytes& input);

class Examination {
 public:
  // All of them must outlive it.
  Examination(const Bytes& input, const Specification& spec, const FileOptions& options,
              std::uint64_t memory);

  void run();

  Notes& notes() { return notes_; }
  const Notes& notes() const { return notes_; }
  // --- What has been seen ------------------------------------------------------------------------
  bool file() const { return is_file_; }
  const Schema* schema() const { return schema_ ? &*schema_ : nullptr; }
  const Totals& totals() const { return totals_; }
  const std::optional<ByteCells>& cells() const { return cells_; }
  std::size_t dictionaries() const { return dictionaries_; }
  std::optional<std::int16_t> version() const { return version_; }

 private:
  void stream();
  void came(std::uint64_t end);
  void let_go(std::uint64_t begin);
  void whole_file();
  std::uint64_t footer_at();
  std::uint64_t begin_of_stream(std::uint64_t end, bool cut);
  void walk_file(MessageWalk& walk, bool cut, Found& found);
  void keep(const MessageWalk& walk, Found& found);
  void judge_file(const std::optional<Footer>& footer, Found& found);
  void judge_messages(const Found& found, const Listed& listed);
  void adopt(Schema schema, const SharedBytes& bytes, std::uint64_t byte, const Path& path,
             bool judged);

  const Bytes& input_;
  const FileOptions& options_;
  InputBudget budget_;
  Notes notes_;
  bool is_file_;
  std::uint64_t come_ = 0;  // bytes of streamed input that the budget includes
  std::optional<Schema> schema_{};
  Totals totals_{};
  std::optional<ByteCells> cells_{};
  std::size_t dictionaries_ = 0;
  std::optional<std::int16_t> version_{};
};

}  // namespace hepcheck::arrow
