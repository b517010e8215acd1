#include "scenarios/format/kinds/availability_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "scenarios/json/fields.hpp"

namespace lagnet {

void ScheduleOptions::check(CheckReport& report) const {
  struct PlacedOutage {
    std::size_t place;  // in the list, for messages
    Outage outage;
  };
  if (down.empty()) report("down", "one window or more", "none");
  std::vector<PlacedOutage> places;
  for (std::size_t i = 0; i < down.size(); ++i) {
    const Outage outage = down[i].outage(0);
    if (outage.until <= outage.from)
      report(fmt::format("down/{}/until_s", i), "at least a nanosecond after from_s", down[i].until_s);
    else
      places.push_back({i, outage});
  }
  std::ranges::sort(places, {}, [&](const PlacedOutage& p) {
    return std::tuple(down[p.place].agent, p.outage.from, p.outage.until, p.place);
  });
  for (std::size_t k = 1; k < places.size(); ++k) {
    const PlacedOutage &before = places[k - 1], &here = places[k];
    if (down[before.place].agent != down[here.place].agent || before.outage.until <= here.outage.from) continue;
    report(fmt::format("down/{}", here.place), "a window that overlaps no other of its agent",
           fmt::format("one that overlaps down/{}", before.place));
  }
}

}  // namespace lagnet
