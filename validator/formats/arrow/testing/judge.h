// Judges streams and files that tests have built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/options.h"

namespace hepcheck::arrow::testing {

// The violated clauses, in the order of the catalogue; including recommendations.
std::vector<std::string> broken(const Bytes& input);
// With the text of the first finding of each: "clause: observed", and the number of others: " +2".
std::vector<std::string> first_findings(const Bytes& input);
// What a specification says of one clause: "pass 4" and "fail 4: ..." with the number of places
// that were examined and the first finding, "not checked: " with the reason, or "not applicable".
std::string result_of(const Bytes& input, std::string_view spec, std::string_view clause,
                      const FileOptions& options = {});
// Of several clauses.
std::vector<std::string> results_of(const Bytes& input, std::string_view spec,
                                    const std::vector<std::string_view>& clauses,
                                    const FileOptions& options = {});
// The sign by which the revision of an input is chosen, "|", and its place.
std::string sign_of_revision(const Bytes& input);

}  // namespace hepcheck::arrow::testing
