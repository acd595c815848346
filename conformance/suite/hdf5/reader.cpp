#include "conformance/suite/hdf5/reader.h"

#include <string>

namespace hepcheck::hdf5::suite {

namespace {

constexpr MayRefuse kMayRefuse[] = {
    {"valid/FF-IV.A.1.a/swmr-ohdr-unknown-message-ignored--that-says-to-fail.h5",
     "the file says that a program that does not know the message must not open it"},
    {"valid/FF-II.A/swmr-superblock-status-*", "the file says that a program has it open"},
    {"valid/3/swmr-eof-lags-while-writing--newest-chunk-behind.h5", "the same"},
    {"valid/II.B/h5-driver-family-*", "it is one of several files"},
    {"valid/II.B/h5-driver-multi-*", "it is one of several files"},
    {"valid/IV.A.2.l/h5-risk-filter-private--*", "the filter is nobody's"},
};

// Values of more bytes are not requested; contents.json has none.
constexpr int kMostBytes = 65536;

class Reader : public FileReader {
 public:
  Reader(Session& session, const Specification& spec, const RunOptions& options)
      : FileReader(session, spec, options, kMayRefuse) {}

 protected:
  Json request(const std::string& path) const override {
    return {{"op", "read"}, {"file", path}, {"most", std::to_string(kMostBytes)}};
  }
  FileContent compare(const Fixture& fixture, const Json& body) override {
    return suite::compare(body, contents_of(fixture.file), can());
  }
};

}  // namespace

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options) {
  return Reader(session, spec, options).report({});
}

}  // namespace hepcheck::hdf5::suite
