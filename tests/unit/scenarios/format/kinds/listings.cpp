#include "scenarios/format/kinds/listings.hpp"

#include <catch2/catch.hpp>

#include <set>

#include "scenarios/format/kinds/latency_kinds.hpp"
#include "scenarios/format/kinds/speed_kinds.hpp"

namespace lagnet::listings_test {

TEST_CASE("every kind has a summary, and its fields a description each") {
  for (const Listing& listing : listings()) {
    CHECK(!listing.kinds.empty());
    for (const KindOfOptions* kind : listing.kinds) {
      INFO(listing.what << " " << kind->kind);
      CHECK(!kind->summary.empty());
      for (const FieldText& field : kind->describe()) {
        INFO(field.key);
        CHECK(!field.description.empty());
        CHECK(!field.type.empty());
      }
    }
  }
}

TEST_CASE(
    "a name belongs to one kind of one list, but for none (regularizer and constraint), constant (distribution and "
    "attack), exponential (topology and "
    "distribution), trace (speed, availability and network), schedule (availability and network) and python "
    "(algorithm, "
    "loss, regularizer and metric)") {
  std::set<std::string_view> names;
  std::vector<std::string_view> twice;
  for (const Listing& listing : listings())
    for (const KindOfOptions* kind : listing.kinds)
      if (!names.insert(kind->kind).second) twice.push_back(kind->kind);
  CHECK(twice == std::vector<std::string_view>{"python", "python", "none", "python", "constant", "exponential", "trace",
                                               "trace", "schedule"});
}

TEST_CASE("a speed and a latency may be any distribution") {
  for (const std::string& kind : DistributionFamily::catalogue().kinds()) {
    INFO(kind);
    CHECK(SpeedFamily::catalogue().find(kind) != nullptr);
    CHECK(LatencyFamily::catalogue().find(kind) != nullptr);
  }
}

TEST_CASE("the defaults of every kind without required keys are written and read back") {
  for (const Listing& listing : listings())
    for (const KindOfOptions* kind : listing.kinds) {
      const auto fields = kind->describe();
      if (std::ranges::any_of(fields, [](const FieldText& field) { return field.required; })) continue;
      INFO(listing.what << " " << kind->kind);
      Json written = Json::object(), again = Json::object();
      kind->fields.write_into(written, kind->fields.initial());
      const auto options = kind->defaults();
      Diagnostics problems("defaults");
      ObjectReader reader(written, "", problems);
      reader.read(kind->fields, options.get());
      kind->fields.write_into(again, options.get());
      CHECK(again == written);
    }
}

}  // namespace lagnet::listings_test
