"""Pages that the program writes of itself: every command's help, every section and kind of a scenario, every column."""

import json
import re
import subprocess

CATEGORIES = {  # as `lagnet list` names them, with the section of a scenario that they stand in
    "algorithms": "algorithm", "compressors": "compressor", "matrix_compressors": "compressor",
    "aggregations": "aggregation", "attacks": "attackers",
    "topologies": "topology", "topology_changes": "topology.changes", "losses": "problem.loss",
    "regularizers": "problem.regularizer", "constraints": "problem.constraint", "data": "data",
    "column_recipes": "data.columns", "partitions": "partition",
    "metrics": "record.metrics", "claims": "expect", "distributions": "any number that may be drawn",
    "latencies": "network.latency_ms", "speeds": "compute.speed_flops_per_s", "clocks": "compute.clock",
    "clients": "participation.clients", "availability": "participation.availability",
    "missing_neighbors": "participation.missing_neighbor", "profiles": "network.profile"}
SHARED = {"data": "preprocessing", "topologies": "topology", "claims": "claim"}  # where the keys of all of them stand
SECTIONS = ("data", "problem", "partition", "topology", "network", "compute", "participation", "stop", "record",
            "sweep", "tune", "range", "expect", "figure", "maps")


class Reference:
    def __init__(self, programs, site):
        self.programs, self.site = programs, site

    def lagnet(self, *words):
        done = subprocess.run([str(self.programs.lagnet), *words], env=self.programs.environment, capture_output=True,
                              text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"lagnet {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def write(self):
        self.site.write("reference/commands.md", self.commands())
        self.site.write("reference/scenario.md", self.sections())
        self.site.write("reference/columns.md", self.columns())
        listed = json.loads(self.lagnet("list", "--json"))
        for category, kinds in listed.items():
            self.site.write(f"reference/kinds/{category}.md", self.kinds(category, kinds))

    def commands(self):
        """Each command's help, by what the program groups them."""
        lines = ["# Commands", "", "What `lagnet help COMMAND` prints. [What the commands are for, and the exit "
                 "statuses](../rooms/tools.md#commands).", ""]
        for line in self.lagnet("--help").split("\n"):
            if group := re.match(r"^(\w+):$", line):
                lines += [f"## {group[1]}", ""] if group[1] != "Options" else []
            elif found := re.match(r"^  ([a-z]+)\s{2,}\S", line):
                lines += self.command(found[1])
        return "\n".join(lines)

    def command(self, *words):
        text = self.lagnet(*words, "--help").strip("\n")
        lines = [f"{'#' * (2 + len(words))} lagnet {' '.join(words)}", "", "```text", text, "```", ""]
        inner = re.split(r"^Subcommands:\n", text, maxsplit=1, flags=re.M)
        for found in re.finditer(r"^  ([a-z]+)\s{2,}\S", inner[1] if len(inner) > 1 else "", re.M):
            lines += self.command(*words, found[1])
        return lines

    def sections(self):
        top = json.loads(self.lagnet("schema"))["properties"]
        lines = ["# Scenario", "", "Keys of a scenario, as `lagnet describe SECTION` and `lagnet schema` give them. "
                 "[How a scenario is written](../rooms/scenarios.md#a-scenario).", "", "## Top level", "",
                 "| key | meaning |", "|---|---|"]
        for key, about in top.items():
            meaning = f"[the section {key}](#{key})" if key in SECTIONS else plain(about.get("description", ""))
            if key == "algorithm":
                meaning = "[one of the algorithms](kinds/algorithms.md) with its options"
            lines.append(f"| `{key}` | {meaning} |")
        for section in SECTIONS:
            entries = self.described(section)
            entry = next((one for one in entries if one["summary"] == "section of a scenario"), entries[0])
            lines += ["", f"## {section}", ""]
            kinds = [category for category, where in CATEGORIES.items() if where == section]
            if kinds:
                lines += [f"[Its kinds](kinds/{kinds[0]}.md) have keys of their own.", ""]
            elif entry["summary"] != "section of a scenario":
                lines += [plain(entry["summary"]), ""]
            lines += table(entry["fields"]) if entry["fields"] or not kinds else []
        return "\n".join(lines) + "\n"

    def columns(self):
        """Every column of every table."""
        listed = json.loads(self.lagnet("list", "columns", "--json"))
        lines = ["# Columns", "", "Every column of every table that lagnet writes, as `lagnet describe COLUMN` has it: "
                 "its unit, what it says, and its formula. A `*` stands for what differs.", "",
                 "In formulas m is the number of agents, n that of samples with features x_i and labels y_i; theta is "
                 "the iterate and theta_i that of agent i, theta\\* are the coefficients that made the data, theta^ is "
                 "the central optimum; F is the objective and F\\* its least value.", ""]
        for table in listed["tables"]:
            also = f" It also has the columns of `{table['with']}`." if table["with"] else ""
            lines += [f"## {table['kind']}", "", plain(table["summary"]) + also, ""]
            for name in table["columns"]:
                column = next(one for one in listed["columns"]
                              if one["kind"] == name and table["kind"] in one["tables"])
                unit = "no unit" if column["unit"] == "1" else plain(column["unit"])
                lines += [f"`{name}`", f": {unit}", "", f"  {plain(column['summary'])}", "",
                          f"  `{column['formula']}`", ""]
        return "\n".join(lines)

    def kinds(self, category, kinds):
        where = CATEGORIES[category]
        stand = f"Stand in `{where}`" if " " not in where else f"For {where}"
        lines = [f"# {category.replace('_', ' ').capitalize()}", "",
                 f"{stand}; `lagnet list {category}` names them, `lagnet describe NAME` has their keys.", ""]
        if category in SHARED:
            lines += ["## Keys of all", "", *table(self.described(SHARED[category])[0]["fields"])]
        for kind in kinds:
            lines += [f"## {kind['kind']}", "", plain(kind["summary"]), ""]
            for entry in self.described(kind["kind"]):
                if entry["name"] == f"{kind['kind']} ({category})":
                    lines += [plain(entry["regularizer"]), ""] if "regularizer" in entry else []
                    lines += table(entry["fields"]) if entry["fields"] else []
        return "\n".join(lines)

    def described(self, name):
        return json.loads(self.lagnet("describe", name, "--json"))


def plain(text):
    """Text as Markdown shows it letter by letter."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)


def table(fields):
    """Keys with what they take and what they mean, as a list: tables are too wide for small windows."""
    lines = [] if fields else ["It has no keys."]
    for field in fields:
        value = plain(field["type"]) + (f", {plain(field['limits'])}" if field["limits"] else "")
        default = "required" if field["required"] else f"default `{field['default']}`" if field["default"] else ""
        lines += [f"`{field['key']}`", f": {'; '.join(filter(None, [value, default]))}", "",
                  f"  {plain(field['description'])}", ""]
    return lines
