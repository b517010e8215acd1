"""Settings of Sphinx. tools/docs writes what it reads."""

import os

project = "lagnet"
author = "the lagnet developers"
project_copyright = author
version = release = os.environ.get("LAGNET_VERSION", "")
root_doc = "index"
extensions = ["myst_parser", "breathe"]
nitpicky = True
# Names of the C++ pages that have no page of their own: units and vectors, which a table there explains, and what
# methods need not know.
nitpick_ignore_regex = [("cpp:identifier", pattern) for pattern in (
    "AgentId", "Round", "MessageTag", "Time(::never)?", "Bytes", "Flops", "Cost", "Index", "Vector(View|Ref)?",
    "SparseMatrix", "StateVector", "Task<>", "boost.*", "lagnet", "lagnet::AgentExchange", "AlikeAgents",
    "ProximalMethod<Options>",
    "Clocks", "Constant", "RoundReport", "RowBlock", "RunCounts")]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
highlight_language = "none"
smartquotes = False

breathe_projects = {"lagnet": os.environ.get("LAGNET_DOXYGEN", "")}
breathe_default_project = "lagnet"
breathe_default_members = ("members",)

html_theme = "furo"
html_title = f"lagnet {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = [os.environ["LAGNET_EXTRA"]] if "LAGNET_EXTRA" in os.environ else []
html_show_sphinx = False
html_show_search_summary = False  # asks for pages, which browsers refuse from disk
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
