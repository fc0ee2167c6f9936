/** `earshot models add`: a package, or a model as it is published, into the folder of models. */
import { existsSync } from "node:fs";
import { Command } from "commander";
import { fetchModel } from "../models/package/fetch-model.js";
import { installFolder } from "../models/package/install.js";
import {
	languages as allLanguages,
	parseLanguage,
} from "../session/languages.js";
import { openProgress, type Progress } from "./progress.js";
import { action, configFor, print, UsageError } from "./verb.js";

type Options = {
	name?: string;
	licence?: string;
	source?: string;
	languages?: string;
	probe?: string;
	probeLanguage?: string;
	probeWords?: string;
	replace?: boolean;
};

export function addCommand(): Command {
	return new Command("add")
		.description(
			"add a model: a package's folder, or one of graphs as sherpa-onnx takes them",
		)
		.argument(
			"<what>",
			"a folder, or the name of one in the catalogue (model.catalogue)",
		)
		.option("--name <name>", "the package's name (default: the folder's)")
		.option("--licence <name>", "licence of the weights, e.g. Apache-2.0")
		.option("--source <text>", "where the weights come from")
		.option(
			"--languages <list>",
			"lang_type values, with commas (default: by the model's symbols)",
		)
		.option("--probe <file>", "a WAV of speech that the health check hears")
		.option("--probe-language <lang>", "its lang_type")
		.option("--probe-words <words>", "words that are said in it, with commas")
		.option("--replace", "replace a package that is there already")
		.action(action(add));
}

async function add(
	what: string,
	options: Options,
	command: Command,
): Promise<void> {
	const { model } = configFor(command).values;
	const stopped = new AbortController();
	const stop = () => stopped.abort();
	process.once("SIGINT", stop).once("SIGTERM", stop);
	let progress: Progress | undefined;
	let shown = 0;
	try {
		const shared = {
			directory: model.dir,
			signal: stopped.signal,
			replace: options.replace ?? false,
			onBytes: (done: number, total: number) => {
				progress ??= openProgress("adding", total);
				progress.advance(done - shown);
				shown = done;
			},
		};
		const { manifest } = await (isFolder(what)
			? installFolder(what, {
					...shared,
					...(options.name && { name: options.name }),
					...(options.licence && { licence: options.licence }),
					...(options.source && { source: options.source }),
					...(options.languages && {
						languages: languagesOf(options.languages),
					}),
					...(options.probe && { probe: probeOf(options.probe, options) }),
				})
			: fetchModel(
					what,
					{ location: model.catalogue, key: model.catalogue_key },
					shared,
				));
		print(
			`${manifest.name}: ${manifest.kind}, ${(shown / 1e6).toFixed(1)} MB, checked`,
		);
	} finally {
		progress?.close();
		process.off("SIGINT", stop).off("SIGTERM", stop);
	}
}

/** A plain name that is no folder here is looked for in the catalogue. */
function isFolder(what: string): boolean {
	return existsSync(what) || !/^[a-z0-9][a-z0-9._-]*$/.test(what);
}

function languagesOf(list: string): string[] {
	return list.split(",").map((name) => {
		const language = parseLanguage(name.trim());
		if (!language)
			throw new UsageError(
				`--languages: ${name.trim()} is none of ${allLanguages.join(", ")}`,
			);
		return language;
	});
}

function probeOf(path: string, { probeLanguage, probeWords }: Options) {
	const language = parseLanguage(probeLanguage ?? "");
	const words = (probeWords ?? "")
		.split(",")
		.map((it) => it.trim())
		.filter((it) => it !== "");
	if (!language || words.length === 0)
		throw new UsageError(
			"--probe needs --probe-language and --probe-words beside it",
		);
	return { path, language, words };
}
