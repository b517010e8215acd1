#include "tools/cli/completion/candidates.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tools/console/suggestions.hpp"

namespace completion_candidates {

using namespace lagnet::tools;

using Words = std::vector<std::string>;

/// A program with what lagnet's commands have.
struct Program {
  CLI::App app{"program", "program"};
  std::string text, shape;
  std::vector<std::string> texts, sets;
  bool flag = false;

  Program() {
    app.set_version_flag("--version", "1");
    app.fallthrough();
    app.add_flag("--quiet", flag, "say nothing: neither this nor that");
    CLI::App* run = app.add_subcommand("run", "Run it: all of it");
    run->add_option("SCENARIO", text, "a file")->required();
    run->add_option_function<std::string>("--set", [](const std::string&) {})
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->trigger_on_parse()
        ->check(suggests("settings"));
    run->add_option("--algorithm", sets)->type_size(1)->allow_extra_args(false)->check(suggests("algorithms"));
    run->add_option("-o,--out", text)->option_text("DIR");
    run->add_option("--shape", shape)->check(CLI::IsMember({"round", "square"}));
    run->add_option("--two", texts)->expected(2)->check(suggests("one|other"));
    run->add_option("--count", text)->check(CLI::Range(1, 9))->option_text("N");
    CLI::App* deploy = app.add_subcommand("deploy", "Deploy it");
    deploy->add_subcommand("keys", "Make keys")->add_option("PLAN", text);
    deploy->add_subcommand("collect", "Collect")->add_option("RECORD", texts);
    app.add_subcommand("hidden", "Not for people")->group("");
  }

  Candidates after(const Words& words) {
    return candidates_for(app, words, [](const std::string& set, const std::string&) {
      return std::vector<Candidate>{{set + "-1"}, {set + "-2"}};
    });
  }

  Words texts_after(const Words& words) {
    Words found;
    for (const Candidate& one : after(words).list) found.push_back(one.text);
    return found;
  }
};

TEST_CASE("the first word is a command that is not hidden or an option") {
  Program program;
  CHECK(program.texts_after({""}) == Words{"run", "deploy", "help"});
  CHECK(program.texts_after({}) == Words{"run", "deploy", "help"});
  CHECK(program.texts_after({"ru"}) == Words{"run"});
  CHECK(program.after({"ru"}).list[0].summary == "Run it");
  CHECK(program.texts_after({"--"}) == Words{"--help", "--version", "--quiet"});
  CHECK(program.texts_after({"none"}).empty());
}

TEST_CASE("commands have commands of their own and help is asked of any of them") {
  Program program;
  CHECK(program.texts_after({"deploy", ""}) == Words{"keys", "collect"});
  CHECK(program.texts_after({"help", "deploy", "k"}) == Words{"keys"});
  CHECK(program.texts_after({"help", ""}) == Words{"run", "deploy"});
  CHECK(program.texts_after({"none", ""}).empty());
  CHECK(program.after({"help", "run", ""}).paths == Paths::none);
}

TEST_CASE("options are those of the command and of the program without those that were given") {
  Program program;
  CHECK(program.texts_after({"run", "--s"}) == Words{"--set", "--shape"});
  CHECK(program.texts_after({"run", "--shape", "round", "--set", "a=1", "--s"}) == Words{"--set"});
  CHECK(program.texts_after({"run", "--q"}) == Words{"--quiet"});
  CHECK(program.texts_after({"run", "--version"}).empty());
  CHECK(program.texts_after({"run", "-o"}) == Words{"-o"});
  CHECK(program.texts_after({"deploy", "collect", "--out"}).empty());
}

TEST_CASE("values come from sets and are completed behind an equals sign as well") {
  Program program;
  CHECK(program.texts_after({"run", "--shape", ""}) == Words{"round", "square"});
  CHECK(program.texts_after({"run", "--shape=s"}) == Words{"--shape=square"});
  CHECK(program.texts_after({"run", "--set", ""}) == Words{"settings-1", "settings-2"});
  CHECK(program.texts_after({"run", "--two", "one", "o"}) == Words{"one", "other"});
  CHECK(program.texts_after({"run", "--count", ""}).empty());
  CHECK(program.after({"run", "--count", ""}).paths == Paths::none);
  // Three words behind an option of two: the third one is the command's own.
  CHECK(program.after({"run", "--two", "one", "other", ""}).paths == Paths::scenarios);
}

TEST_CASE("paths are recognized by their type in the help") {
  Program program;
  CHECK(program.after({"run", ""}).paths == Paths::scenarios);
  CHECK(program.after({"run", "s.json", ""}).paths == Paths::none);
  CHECK(program.after({"run", "-o", ""}).paths == Paths::folders);
  CHECK(program.after({"run", "--out=x"}).paths == Paths::folders);
  CHECK(program.after({"deploy", "collect", "a", "b", ""}).paths == Paths::files);
  CHECK(program.after({"run", "--", "-"}).paths == Paths::scenarios);
}

TEST_CASE("options of an algorithm follow its name until another word") {
  Program program;
  CHECK(program.texts_after({"run", "s.json", "--algorithm", "extra", ""}) ==
        Words{"options of extra-1", "options of extra-2"});
  CHECK(program.texts_after({"run", "s.json", "--algorithm", "extra", "step=1", "options of extra-1"}) ==
        Words{"options of extra-1"});
  CHECK(program.texts_after({"run", "--algorithm", "extra", "s.json", ""}).empty());
}

}  // namespace completion_candidates
