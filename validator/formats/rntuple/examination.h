// Examines one RNTuple of a file: from its anchor to the values of its pages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/rntuple/clusters.h"
#include "validator/formats/rntuple/metadata.h"
#include "validator/options.h"

namespace hepcheck::rntuple {

class Examination {
 public:
  // All must outlive it.
  Examination(const RootFile& root, const AnchorKey& anchor, const Specification& spec,
              const FileOptions& options, Budget& decoded, std::uint64_t memory);
  Examination(const Examination&) = delete;
  Examination& operator=(const Examination&) = delete;

  void run();
  // From here on, page lists and metadata are kept for a reader of values.
  void keep_pages() { keep_pages_ = true; }
  const std::vector<PageList>& page_lists() const { return lists_; }
  const Envelope& header_bytes() const { return header_bytes_; }
  const Envelope& footer_bytes() const { return footer_bytes_; }
  const std::vector<Envelope>& list_bytes() const { return list_bytes_; }
  const std::vector<Metadata>& metadata() const { return metadata_; }
  const std::vector<Envelope>& metadata_bytes() const { return metadata_bytes_; }
  const Context* context() const { return context_.get(); }
  const std::vector<Mapped>& mapped() const { return mapped_; }

  Notes& notes() { return notes_; }
  // --- What has been seen ------------------------------------------------------------------------
  const Anchor& anchor() const { return read_.anchor; }
  // Another dialect, which is not examined; empty otherwise.
  const std::string& dialect() const { return read_.dialect; }
  bool usable() const { return read_.state == AnchorRead::State::kUsable; }
  const Schema& schema() const { return schema_; }
  const Header& header() const { return header_; }
  const Footer& footer() const { return footer_; }
  const Totals* totals() const { return clusters_ ? &clusters_->totals() : nullptr; }
  std::uint64_t entries() const { return entries_; }
  const std::vector<Referenced>& referenced() const;
  std::string dialect_seen() const;

 private:
  bool read_schema();
  void read_clusters();
  void read_metadata_of(const Link& link, std::uint32_t number);

  const RootFile& root_;
  const AnchorKey& key_;
  const FileOptions& options_;
  Budget& decoded_;
  std::uint64_t memory_;
  Notes notes_;
  AnchorRead read_{};
  std::unique_ptr<Context> context_{};
  Path path_{}, header_path_{}, footer_path_{};
  Envelope header_bytes_{}, footer_bytes_{};
  Schema schema_{};
  Header header_{};
  Footer footer_{};
  std::vector<Mapped> mapped_{};
  std::unique_ptr<Clusters> clusters_{};
  std::uint64_t entries_ = 0;
  bool keep_pages_ = false;
  std::vector<PageList> lists_{};
  std::vector<Envelope> list_bytes_{};
  std::vector<Metadata> metadata_{};  // with their envelopes
  std::vector<Envelope> metadata_bytes_{};
};

}  // namespace hepcheck::rntuple
