#include "tools/cli/results/commands.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/prediction.hpp"
#include "scenarios/words/layout.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace fs = std::filesystem;

int predict_command(const std::string& run, const std::string& data, const OutputFile& out, const Console& console) {
  if (!fs::is_regular_file(fs::path(run) / "summary.json"))
    throw InputError(fmt::format("{}: expected the folder of a run, found {}", run,
                                 is_result_folder(run) ? "that of a sweep: name one of its points"
                                 : fs::exists(run)     ? "something else"
                                                       : "nothing"));
  if (!fs::is_regular_file(data))
    throw InputError(
        fmt::format("{}: expected a file of samples, found {}", data, fs::exists(data) ? "something else" : "nothing"));
  const Prediction prediction = predict(run, data);
  if (!out.path.empty()) write_output(out, prediction_table(prediction));
  if (console.json) {
    print_text(indented({{"run", run},
                         {"data", data},
                         {"samples", prediction.samples()},
                         {"loss", number_or_null(prediction.loss)},
                         {"accuracy", number_or_null(prediction.accuracy)},
                         {"mean_squared_residual", number_or_null(prediction.mean_squared_residual)},
                         {"predictions", out.path.empty() ? Json(nullptr) : Json(out.path)}}));
    return 0;
  }
  if (console.quiet) return 0;
  print_out("{} samples of {}, by the model of {}\n", prediction.samples(), data,
            prediction.scenario.empty() ? run : prediction.scenario);
  TextRows lines;
  for (const auto& [name, value] :
       {std::pair("loss", std::optional(prediction.loss)), std::pair("accuracy", prediction.accuracy),
        std::pair("mean squared residual", prediction.mean_squared_residual)})
    if (value) lines.push_back({name, fmt::format("{:.6g}", *value)});
  print_text(laid_out(lines, {true, true}));
  if (!out.path.empty()) print_out("predictions in {}\n", out.path);
  return 0;
}

}  // namespace lagnet::tools
