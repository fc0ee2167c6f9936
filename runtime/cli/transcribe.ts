/** `earshot transcribe FILE...`: transcribes files with the pipeline of the API, in this process, without a server. */

import { type Command, Option } from "commander";
import type { Engine } from "../engine/child/open-core.js";
import type { RefinementReports } from "../engine/child/speech.js";
import { engineSettings, segmentationFolder } from "../engine/from-config.js";
import type { EngineSettings } from "../engine/protocol.js";
import { languageNames } from "../session/languages.js";
import { hotwordsWeightDefault } from "../session/options.js";
import { type AudioFile, inspectFile } from "./audio-file.js";
import { configOrDefaults } from "./config-or-defaults.js";
import type { RefinedPart } from "./refinement-text.js";
import { openScratchFolder } from "./scratch-folder.js";
import { subtitleFormats } from "./subtitles.js";
import {
	flagLanguageOf,
	hotwordsOf,
	speakersOf,
	type TranscribeFlags,
} from "./transcribe-flags.js";
import { complain, transcribeAll } from "./transcribed-files.js";
import { action, UsageError, verb } from "./verb.js";

export function transcribeCommand(): Command {
	return verb("transcribe", "transcribe audio files, without a server")
		.argument(
			"<file...>",
			"wav, mp3, flac, ogg/opus, m4a, mp4, aac, amr, 3gp, or raw pcm",
		)
		.option(
			"--lang <language>",
			`${languageNames.join(", ")} (default: the locale's, else en)`,
		)
		.option(
			"--json",
			"one line of JSON per file: utterances, times, confidence",
		)
		.addOption(
			new Option(
				"--format <format>",
				"subtitles of one file: lines of at most 42 columns and 7 s",
			)
				.choices(subtitleFormats)
				.conflicts(["json", "explain"]),
		)
		.option("--words", "word times as well (with --json)")
		.option(
			"--speakers <number>",
			"label speakers: their number, 1 to 10, or auto",
		)
		.addOption(
			new Option(
				"--explain",
				"show how each text of Chinese was chosen (with model.second_ear)",
			).conflicts(["speakers"]),
		)
		.option("--no-punctuation", "omit punctuation")
		.option(
			"--hotwords <file>",
			"words to recognize more readily: one per line; for Japanese optionally writing,pronunciation,category",
		)
		.option(
			"--hotwords-weight <weight>",
			"strength of the hotwords, 0.1 to 1",
			String(hotwordsWeightDefault),
		)
		.addOption(
			new Option("--rate <hertz>", "sample rate of raw .pcm files")
				.choices(["8000", "16000"])
				.default("16000"),
		)
		.action(action(transcribe));
}

async function transcribe(
	paths: string[],
	flags: TranscribeFlags,
	command: Command,
): Promise<void> {
	const language = flagLanguageOf(flags.lang);
	const { format: subtitles } = flags;
	if (subtitles !== undefined && paths.length > 1)
		throw new UsageError(
			`--format ${subtitles} takes one file at a time: standard output is its subtitles`,
		);
	const { values: config } = configOrDefaults(command);
	const hotwords = hotwordsOf(flags, config.hotwords.categories);
	const speakers = speakersOf(flags.speakers);
	const files = await readable(paths);
	if (files.length === 0) return;
	const { path: spoolFolder } = openScratchFolder();
	const refinements: RefinedPart[] = [];
	const settings = {
		...engineSettings("live", config),
		...segmentationFolder(config.model),
		spoolFolder,
	};
	if (flags.explain && settings.secondEarFolder === undefined)
		throw new UsageError(
			"--explain shows how the text and the second ear agree, but model.second_ear names none; earshot models add zipformer-zh-ear adds one",
		);
	const engine = await load(settings, {
		onRefined: (it, seconds) => refinements.push({ ...it, seconds }),
		onRefinementFailed: (error) =>
			warn(
				`the second ear failed, and the recognizer's own text stands: ${error instanceof Error ? error.message : error}`,
			),
	});
	if (!engine) return;
	try {
		await transcribeAll(engine, files, {
			language,
			sampleRateHz: flags.rate === "8000" ? 8000 : 16000,
			words: flags.words ?? false,
			punctuation: flags.punctuation,
			json: flags.json ?? false,
			refinements: flags.explain ? refinements : undefined,
			...(subtitles !== undefined && { subtitles }),
			...(hotwords && { hotwords }),
			...(speakers !== undefined && { speakers }),
		});
	} finally {
		await engine.core.close();
	}
}

/** Loads the models; prints a message where that fails. */
async function load(
	settings: EngineSettings,
	reports: RefinementReports,
): Promise<Engine | undefined> {
	// imported here: a wrong argument should be reported without loading the native libraries
	const { openEngine } = await import("../engine/child/open-core.js");
	try {
		return await openEngine(settings, {
			...reports,
			onModelFailed: complain,
		});
	} catch (error) {
		complain(settings.modelFolder, error);
		return undefined;
	}
}

/** @returns the readable files; the others are reported on standard error. */
async function readable(paths: readonly string[]): Promise<AudioFile[]> {
	const files: AudioFile[] = [];
	for (const path of paths)
		try {
			files.push(await inspectFile(path));
		} catch (error) {
			complain(path, error);
		}
	return files;
}

function warn(sentence: string): void {
	process.stderr.write(`earshot: ${sentence}\n`);
}
