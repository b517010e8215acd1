#include "scenarios/results/resources_csv.hpp"

#include "scenarios/files/csv_records.hpp"
#include "scenarios/results/resource_names.hpp"

namespace lagnet {

namespace {

std::string seconds_text(Duration time) { return Json(time.in_seconds()).dump(); }

}  // namespace

void write_resources_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink) {
  const Network& network = *experiment.network;
  const bool has_turns = experiment.model.sharing == Sharing::fifo;
  const double duration = outcome.ending.last_event.in_seconds();
  sink("resource,kind,messages,bytes,busy_s,queueing_s,lost,most_waiting,utilization\n");
  for (const auto& [id, account] : outcome.resources.value()) {
    // How long it is busy is known for a rate that changes only if messages take turns.
    const bool has_busy = has_turns || !network.schedule(id);
    sink(csv_line({name_of_resource(experiment, id), std::string(kind_of_resource(network, id)),
                   std::to_string(account.messages), std::to_string(account.bytes),
                   has_busy ? seconds_text(account.busy) : "", has_turns ? seconds_text(account.queueing) : "",
                   std::to_string(account.lost), has_turns ? std::to_string(account.most_waiting) : "",
                   has_busy && duration > 0 ? Json(account.busy.in_seconds() / duration).dump() : ""}));
  }
}

}  // namespace lagnet
