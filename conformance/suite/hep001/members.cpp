// Prints the protocol's operations and members, one per line, for the tests: their owner, their
// name, and whether they are for display.
#include <print>

#include "conformance/suite/hep001/protocol.h"

int main() {
  using namespace hepcheck::hep001::suite;
  for (const std::string_view operation : kOperations) std::println("operation {}", operation);
  for (const Member& member : kMembers)
    std::println("member {}.{}{}", member.of, member.name, member.for_people ? " people" : "");
}
