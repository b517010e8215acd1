#include "topologies/graph_notes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "topologies/topology.hpp"

namespace lagnet {

namespace {

constexpr double degree = std::numbers::pi / 180;

/// Gives each agent without a place the mean of its neighbors' places, round by round outwards.
void fill_from_neighbors(const Topology& topology, std::vector<std::optional<Place>>& places) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    std::vector<std::optional<Place>> next = places;
    for (AgentId agent = 0; agent < places.size(); ++agent) {
      if (places[agent]) continue;
      Place sum;
      double count = 0;
      for (const std::span<const AgentId> others : {topology.out(agent), topology.in(agent)})
        for (const AgentId other : others) {
          if (!places[other]) continue;
          sum = {sum.latitude + places[other]->latitude, sum.longitude + places[other]->longitude};
          ++count;
        }
      if (count == 0) continue;
      next[agent] = Place{sum.latitude / count, sum.longitude / count};
      has_changed = true;
    }
    places = std::move(next);
  }
}

}  // namespace

double great_circle_km(const Place& from, const Place& to) {
  constexpr double radius_km = 6371;
  const double up = std::sin((to.latitude - from.latitude) * degree / 2);
  const double across = std::sin((to.longitude - from.longitude) * degree / 2);
  const double half = up * up + std::cos(from.latitude * degree) * std::cos(to.latitude * degree) * across * across;
  return 2 * radius_km * std::asin(std::min(1.0, std::sqrt(half)));
}

double latency_of_distance_ms(const Place& from, const Place& to) {
  constexpr double stretch = 1.5, least_km = 50, km_per_ms = 200;
  return stretch * std::max(great_circle_km(from, to), least_km) / km_per_ms;
}

std::vector<Point> map_positions(const Topology& topology, const std::vector<std::optional<Place>>& places) {
  std::vector<std::optional<Place>> all = places;
  fill_from_neighbors(topology, all);
  double south = 90, north = -90, west = 180, east = -180;
  for (const auto& place : all) {
    if (!place) continue;
    south = std::min(south, place->latitude), north = std::max(north, place->latitude);
    west = std::min(west, place->longitude), east = std::max(east, place->longitude);
  }
  if (south > north) return {};
  const double shrink = std::cos((south + north) / 2 * degree);
  const double side = std::max({north - south, (east - west) * shrink, 1e-9});
  std::vector<Point> points;
  for (const auto& place : all) {
    const Place one = place.value_or(Place{(south + north) / 2, (west + east) / 2});
    const double x = 0.5 + (one.longitude - (west + east) / 2) * shrink / side;
    const double y = 0.5 + (one.latitude - (south + north) / 2) / side;
    points.push_back({std::clamp(x, 0.0, 1.0), std::clamp(y, 0.0, 1.0)});
  }
  return points;
}

}  // namespace lagnet
