#include "tools/console/estimate_text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <vector>

#include "scenarios/json/document.hpp"
#include "scenarios/words/layout.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet::tools {

namespace {

/// Up to here every integer is a double.
constexpr double exact_integers = 9007199254740992;

std::string amount_text(const std::optional<double>& amount) {
  if (!amount) return "not known";
  return *amount < exact_integers ? fmt::format("{:.0f}", *amount) : fmt::format("{:.3g}", *amount);
}

Json amount_json(const std::optional<double>& amount) {
  if (amount && *amount < exact_integers) return static_cast<std::int64_t>(*amount);
  return number_or_null(amount);
}

/// "about 3 h 10 min with 2 jobs".
std::string time_text(const Estimate& found, const EstimateOptions& options) {
  const char* how = found.is_at_least ? "no less than" : found.may_end_sooner ? "at most about" : "about";
  const std::string time = *found.seconds < 1 ? "a second" : duration_text(*found.seconds);
  return fmt::format("{} {}{}", how, time, found.points > 1 ? " with " + counted(options.settings.jobs, "job") : "");
}

std::string how_counted(const Estimate& found) {
  if (!found.messages) return "A round has more messages and computations than are counted beforehand.";
  const bool has_all = found.counted == found.points, is_whole = found.counted_whole == found.counted;
  const std::string of_whom =
      has_all ? "" : fmt::format(" of {} of the runs; the others are taken to be like them", found.counted);
  return fmt::format("Messages, bytes, flops and events are counted {}{}.",
                     is_whole ? "to the last round" : "in the first rounds, and the later ones taken to be like them",
                     of_whom);
}

/// How it was found, a sentence each.
std::vector<std::string> explanations(const Estimate& found) {
  std::vector<std::string> said;
  if (found.rounds) said.push_back(how_counted(found));
  if (!found.rounds)
    said.emplace_back("No limit ends a run for certain, as stop.rounds does, so that nobody knows how long it takes.");
  else
    said.push_back(fmt::format(
        "Seconds are measured over {:.0f} rounds of {}{}.", found.sampled_rounds, counted(found.sampled, "run"),
        found.sampled < found.points ? "; others are taken to be like them, by messages, bytes and flops" : ""));
  if (found.is_at_least) said.emplace_back("A round takes longer than it was given: the true time is not known.");
  if (found.may_end_sooner)
    said.emplace_back("All are upper bounds: stop.relative_error or metric may end runs sooner.");
  return said;
}

}  // namespace

double machine_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string estimate_table(const Estimate& found, const std::string& name, const EstimateOptions& options) {
  const TextRows lines{
      {"", "rounds", amount_text(found.rounds) + (found.rounds ? " at most" : "")},
      {"", "messages", amount_text(found.messages)},
      {"", "simulated bytes", amount_text(found.bytes)},
      {"", "flops", amount_text(found.flops)},
      {"", "events", amount_text(found.events)},
      {"", "memory", size_text(static_cast<double>(found.memory)) + (found.points > 1 ? " for the largest run" : "")},
      {"", "results on disk", found.result_bytes ? "about " + size_text(*found.result_bytes) : "not known"},
      {"", "this machine", found.seconds ? time_text(found, options) : "not known"}};
  std::string text = fmt::format("{}: {}\n{}", name, counted(found.points, "run"), laid_out(lines, {true, true, true}));
  for (const std::string& sentence : explanations(found)) text += sentence + "\n";
  return text;
}

std::string estimate_line(const Estimate& found, const EstimateOptions& options) {
  constexpr double worth_telling_s = 60;
  if (found.seconds && *found.seconds < worth_telling_s) return "";
  const std::string runs = counted(found.points, "run");
  if (!found.seconds) return fmt::format("{}: how long is not known, since no limit of rounds ends all of them", runs);
  constexpr double few_digits = 1e7;
  const std::string rounds =
      *found.rounds < few_digits ? amount_text(found.rounds) : fmt::format("{:.3g}", *found.rounds);
  return fmt::format("{} of {} rounds together: {}, {} of memory for the largest, {} of results", runs, rounds,
                     time_text(found, options), size_text(static_cast<double>(found.memory)),
                     size_text(found.result_bytes.value_or(0)));
}

Json estimate_json(const Estimate& found, const std::string& name, const EstimateOptions& options) {
  return {{"scenario", name},
          {"runs", found.points},
          {"rounds", amount_json(found.rounds)},
          {"messages", amount_json(found.messages)},
          {"bytes", amount_json(found.bytes)},
          {"flops", amount_json(found.flops)},
          {"events", amount_json(found.events)},
          {"memory_bytes", found.memory},
          {"result_bytes", amount_json(found.result_bytes)},
          {"seconds", number_or_null(found.seconds)},
          {"preparation_s", found.preparation_s},
          {"seconds_are_at_least", found.is_at_least},
          {"may_end_sooner", found.may_end_sooner},
          {"jobs", options.settings.jobs},
          {"threads", options.settings.threads},
          {"counted", {{"runs", found.counted}, {"to_the_last_round", found.counted_whole}}},
          {"measured", {{"runs", found.sampled}, {"rounds", found.sampled_rounds}}},
          {"how", explanations(found)}};
}

}  // namespace lagnet::tools
