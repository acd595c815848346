#include "validator/formats/rntuple/testing/round_trip.h"

#include <algorithm>
#include <format>

#include "validator/formats/rntuple/examination.h"
#include "validator/formats/rntuple/write_envelope.h"

namespace hepcheck::rntuple {

RoundTrip round_trip(const Bytes& file) {
  RoundTrip made;
  const Specification& spec = default_revision("rntuple");
  FileOptions options{.examine = {.depth = Depth::kStructure, .max_findings = 1}};
  const RootFile root(file, options.limits, 1, spec);
  Budget decoded(std::uint64_t{1} << 30);
  for (const AnchorKey& anchor : root.anchors()) {
    Examination seen(root, anchor, spec, options, decoded, std::uint64_t{64} << 20);
    seen.keep_pages();
    seen.run();
    const auto compare = [&](const std::string& what, const Envelope& read,
                             const std::vector<std::byte>& written) {
      ++made.envelopes;
      const auto [at, other] = std::ranges::mismatch(read.bytes, written);
      if ((at != read.bytes.end() || other != written.end()) && made.difference.empty())
        made.difference =
            std::format("{} of {} at byte {}", what, anchor.path, at - read.bytes.begin());
    };
    if (seen.header().complete)
      compare("the header", seen.header_bytes(), write_header(seen.header(), seen.schema()));
    if (seen.footer().complete)
      compare("the footer", seen.footer_bytes(), write_footer(seen.footer(), seen.schema()));
    for (std::size_t i = 0; i < seen.page_lists().size(); ++i) {
      const PageList& list = seen.page_lists()[i];
      const bool whole =
          list.usable && list.plain && std::ranges::all_of(list.clusters, &Cluster::pages_known);
      if (whole)
        compare(std::format("page list {}", i), seen.list_bytes()[i], write_page_list(list));
    }
    for (std::size_t i = 0; i < seen.metadata().size(); ++i)
      if (seen.metadata()[i].complete)
        compare(std::format("metadata {}", i), seen.metadata_bytes()[i],
                write_metadata(seen.metadata()[i]));
  }
  return made;
}

}  // namespace hepcheck::rntuple
