"""The command line: `baku chat`, `baku run` and the operator's tools."""
