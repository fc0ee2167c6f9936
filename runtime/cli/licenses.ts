/** `earshot licenses`: the notices of everything that the executable contains; with `--bom`, its bill of materials. */
import type { Command } from "commander";
import { isExecutable, ownText } from "../config/own-program.js";
import { action, print, UsageError, verb } from "./verb.js";

export function licensesCommand(): Command {
	return verb("licenses", "show the licences of everything in this program")
		.option("--bom", "as a bill of materials (CycloneDX, JSON)")
		.action(action(show));
}

function show(options: { bom?: boolean }): void {
	if (isExecutable) {
		const text = ownText(options.bom ? "bom.json" : "licenses.txt");
		print(text.trimEnd());
		return;
	}
	if (options.bom)
		throw new UsageError(
			"a checkout has no bill of materials: `npm sbom` creates one of the installed packages",
		);
	print(`${ownText("LICENSE").trimEnd()}\n\n${ownText("NOTICE").trimEnd()}`);
	print("\nPackages carry their licences in node_modules, models in models.");
}
