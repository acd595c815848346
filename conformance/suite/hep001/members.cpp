// Prints the protocol's operations and members, a line each, for the tests: what they are of, their
// name, and whether they are for people.
#include <print>

#include "conformance/suite/hep001/protocol.h"

int main() {
  using namespace hepcheck::hep001::suite;
  for (const std::string_view operation : kOperations) std::println("operation {}", operation);
  for (const Member& member : kMembers)
    std::println("member {}.{}{}", member.of, member.name, member.for_people ? " people" : "");
}
