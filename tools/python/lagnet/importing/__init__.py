"""Scenarios from the files of other tools: `lagnet import`. A module for each form makes a draft, a document with notes
on what is assumed and what is left out; `writing` makes the text of a scenario of it."""
