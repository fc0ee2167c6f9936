/** `earshot config show|docs`: what is in force, and what there is to set. */
import type { Command } from "commander";
import {
	effectiveText,
	effectiveValues,
	exampleToml,
	markdownTable,
} from "../config/document.js";
import { action, configFor, print, verb } from "./verb.js";

export function configCommand(): Command {
	const config = verb("config", "show and explain the configuration");
	config
		.command("show")
		.description("every key with its value in force and where it came from")
		.option("--json", "as JSON")
		.action(action(show));
	config
		.command("docs")
		.description("a Markdown table of every key")
		.option("--toml", "the commented earshot.toml instead")
		.action(action(docs));
	return config;
}

function show(options: { json?: boolean }, command: Command): void {
	const values = effectiveValues(configFor(command));
	print(options.json ? JSON.stringify(values, null, 2) : effectiveText(values));
}

function docs(options: { toml?: boolean }): void {
	process.stdout.write(options.toml ? exampleToml() : markdownTable());
}
