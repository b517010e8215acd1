#include "sim/base/round_counts.hpp"

#include "scenarios/json/fields.hpp"
#include "scenarios/json/one_of.hpp"
#include "scenarios/json/schema.hpp"

namespace lagnet {

namespace {

/// 3; [3, 5], one for each client; [[3, 4, 5], 5], by rounds; or {"kind": "uniform", "low": 1, "high": 5}.
class RoundCountsType final : public FieldType {
  using Lists = RoundCounts::Lists;
  static constexpr Limits limits = at_least(1);

  void read(const Json& value, void* out, const Limits&, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    const std::size_t before = diagnostics.count();
    RoundCounts::Given given;
    if (value.is_object()) {
      read_value(value, given.emplace<DrawnCounts>(), {}, pointer, diagnostics);
    } else if (value.is_array()) {
      auto& lists = given.emplace<Lists>(value.size());
      for (std::size_t k = 0; k < value.size(); ++k)
        read_entry(value[k], lists[k], child_pointer(pointer, std::to_string(k)), diagnostics);
      if (lists.empty()) diagnostics.add(pointer, "one or more numbers", shown(value));
    } else {
      read_value(value, given.emplace<std::int64_t>(), limits, pointer, diagnostics);
    }
    if (diagnostics.count() == before) *static_cast<RoundCounts*>(out) = RoundCounts(std::move(given));
  }

  static void read_entry(const Json& value, std::vector<std::int64_t>& of_agent, const std::string& pointer,
                         Diagnostics& diagnostics) {
    if (value.is_array() && value.empty()) return diagnostics.add(pointer, "one or more numbers", shown(value));
    if (value.is_array()) return read_value(value, of_agent, limits, pointer, diagnostics);
    read_value(value, of_agent.emplace_back(), limits, pointer, diagnostics);
  }

  Json write(const void* value, const Limits&) const override {
    const auto& given = static_cast<const RoundCounts*>(value)->given();
    if (const auto* drawn = std::get_if<DrawnCounts>(&given)) return write_value(*drawn);
    const auto* lists = std::get_if<Lists>(&given);
    if (!lists) return Json(std::get<std::int64_t>(given));
    Json all = Json::array();
    for (const auto& of_agent : *lists) all.push_back(of_agent.size() == 1 ? Json(of_agent[0]) : Json(of_agent));
    return all;
  }

  Json schema(SchemaBuilder& builder, const void*, const Limits&) const override {
    const Json number = number_schema("integer", limits);
    const Json by_round{{"type", "array"}, {"items", number}, {"minItems", 1}};
    const Json of_agents{
        {"type", "array"}, {"items", Json{{"anyOf", Json::array({number, by_round})}}}, {"minItems", 1}};
    return Json{{"anyOf", Json::array({number, of_agents, field_type<DrawnCounts>().schema(builder, nullptr, {})})}};
  }
  std::string words() const override { return "integer, list of them or of lists, or drawn number"; }
  Limits real_limits(const Limits&) const override { return limits; }

  void list_integers(const void* value, const std::string& pointer, std::string_view key,
                     std::vector<IntegerOption>& found) const override {
    const auto& counts = *static_cast<const RoundCounts*>(value);
    const std::size_t agents = counts.entries().value_or(1);
    for (std::size_t k = 0; k < agents; ++k)
      found.push_back(
          {counts.entries() ? child_pointer(pointer, std::to_string(k)) : pointer, std::string(key), counts.most(k)});
  }
};

}  // namespace

template <>
const FieldType& field_type<RoundCounts>() {
  return default_of<RoundCountsType>();
}

}  // namespace lagnet
