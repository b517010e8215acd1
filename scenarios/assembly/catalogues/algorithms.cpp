#include "scenarios/assembly/catalogues/algorithms.hpp"

#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/python_method.hpp"

namespace lagnet {

namespace {

template <class Options, class Method>
auto algorithm_line(MethodLine<Options, Method>) {
  return entry<Options>([](const Options& options) {
    return MadeAlgorithm{traits_of(options), [options](MethodInput given) -> std::unique_ptr<Algorithm> {
                           return std::make_unique<Method>(options, std::move(given));
                         }};
  });
}

auto python_line() {
  return entry<PythonOptions>([](const PythonOptions& options) {
    return MadeAlgorithm{options.traits(),
                         [options](MethodInput given) { return make_python_method(options, std::move(given)); }};
  });
}

template <class... Lines>
Catalogue<MadeAlgorithm> catalogue_of(MethodList<Lines...>) {
  return Catalogue<MadeAlgorithm>(algorithm_line(Lines())..., python_line());
}

}  // namespace

const Catalogue<MadeAlgorithm>& AlgorithmFamily::catalogue() {
  static const Catalogue<MadeAlgorithm> all = catalogue_of(AllMethods());
  return all;
}

}  // namespace lagnet
