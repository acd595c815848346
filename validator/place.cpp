#include "validator/place.h"

#include <algorithm>

namespace hepcheck {

namespace {
thread_local Place* recorded_place = nullptr;
}

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::kStarting: return "starting";
    case Stage::kOpening: return "opening the file";
    case Stage::kWalking: return "walking through";
    case Stage::kReading: return "reading";
    case Stage::kValues: return "reading the values of";
    case Stage::kChecking: return "checking";
  }
  return "at an unknown stage";
}

std::string Place::object_text() const { return {object.begin(), std::ranges::find(object, '\0')}; }

void record_place(Place* place) { recorded_place = place; }

void now_at(Stage stage, std::string_view object) {
  if (!recorded_place) return;
  recorded_place->stage = stage;
  auto& room = recorded_place->object;
  const std::size_t length = std::min(object.size(), room.size() - 1);
  std::ranges::copy(object.substr(0, length), room.begin());
  room[length] = '\0';
}

}  // namespace hepcheck
