import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const logSection = {
	level: setting(
		Type.Union(
			(["fatal", "error", "warn", "info", "debug", "trace"] as const).map(
				(level) => Type.Literal(level),
			),
		),
		"info",
		"Lowest level that is written to standard output.",
		{ needsRestart: false },
	),
	pretty: setting(
		Type.Union([Type.Literal("auto"), Type.Literal("yes"), Type.Literal("no")]),
		"auto",
		"Log lines formatted for people instead of JSON; auto: when standard output is a terminal.",
	),
};
