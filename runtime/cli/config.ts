/** `earshot config show|docs`: the configuration in force, and all settings. */
import type { Command } from "commander";
import {
	effectiveText,
	effectiveValues,
	exampleToml,
	markdownTable,
} from "../config/document.js";
import { asyncApiDocument } from "../fleet/asyncapi.js";
import { action, configFor, print, verb } from "./verb.js";

export function configCommand(): Command {
	const config = verb("config", "show and explain the configuration");
	config
		.command("show")
		.description("every key with its current value and where it came from")
		.option("--json", "as JSON")
		.action(action(show));
	config
		.command("docs")
		.description("a Markdown table of every key")
		.option("--toml", "the commented earshot.toml instead")
		.option("--asyncapi", "the MQTT messages instead, as AsyncAPI 3")
		.action(action(docs));
	return config;
}

function show(options: { json?: boolean }, command: Command): void {
	const values = effectiveValues(configFor(command));
	print(options.json ? JSON.stringify(values, null, 2) : effectiveText(values));
}

function docs(options: { toml?: boolean; asyncapi?: boolean }): void {
	if (options.asyncapi) {
		print(JSON.stringify(asyncApiDocument(), null, "\t"));
		return;
	}
	process.stdout.write(options.toml ? exampleToml() : markdownTable());
}
