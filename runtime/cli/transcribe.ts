/**
 * `earshot transcribe FILE...`: files through the same pipeline as the API's, in this process, with no server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, Option } from "commander";
import type { EngineCore } from "../engine/child/engine-core.js";
import { engineSettings } from "../engine/from-config.js";
import type { EngineSettings } from "../engine/protocol.js";
import type { HotwordOptions, Language } from "../models/recognizer.js";
import { languageNames, parseLanguage } from "../session/languages.js";
import { eitherRule } from "../words/hotword.js";
import { type AudioFile, inspectFile } from "./audio-file.js";
import {
	asJson,
	asText,
	FileTranscriber,
	type TranscribeOptions,
} from "./file-transcriber.js";
import { openProgress } from "./progress.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";
import { readWordFile } from "./word-file.js";

interface Flags {
	readonly lang?: string;
	readonly rate: string;
	readonly json?: boolean;
	readonly words?: boolean;
	readonly punctuation: boolean;
	readonly hotwords?: string;
	readonly hotwordsWeight: string;
}

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
			"one JSON object a line for each file: utterances, times, confidence",
		)
		.option("--words", "word times as well (with --json)")
		.option("--no-punctuation", "leave punctuation out")
		.option(
			"--hotwords <file>",
			"words that are likelier to be heard: one a line; in Japanese writing,pronunciation,category where it helps",
		)
		.option("--hotwords-weight <weight>", "how much likelier, 0.1 to 1", "0.4")
		.addOption(
			new Option("--rate <hertz>", "sample rate of raw .pcm files")
				.choices(["8000", "16000"])
				.default("16000"),
		)
		.action(action(transcribe));
}

async function transcribe(
	paths: string[],
	flags: Flags,
	command: Command,
): Promise<void> {
	const language = languageOf(flags.lang);
	const { values: config } = configFor(command);
	const hotwords = hotwordsOf(flags, config.hotwords.categories);
	const files = await readable(paths);
	if (files.length === 0) return;
	const spoolFolder = mkdtempSync(join(tmpdir(), "earshot-"));
	const sweep = () => rmSync(spoolFolder, { recursive: true, force: true });
	process.once("exit", sweep);
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.once(signal, () => process.exit(signal === "SIGINT" ? 130 : 143));
	const core = await load({ ...engineSettings("live", config), spoolFolder });
	if (!core) return;
	try {
		await transcribeAll(new FileTranscriber(core), files, {
			language,
			sampleRateHz: flags.rate === "8000" ? 8000 : 16000,
			words: flags.words ?? false,
			punctuation: flags.punctuation,
			json: flags.json ?? false,
			...(hotwords && { hotwords }),
		});
	} finally {
		await core.close();
	}
}

/** @throws UsageError */
function hotwordsOf(
	flags: Flags,
	categories: readonly string[],
): HotwordOptions | undefined {
	const weight = Number(flags.hotwordsWeight);
	if (!(weight >= 0.1 && weight <= 1))
		throw new UsageError(
			`--hotwords-weight must be a number from 0.1 to 1, got ${flags.hotwordsWeight}`,
		);
	if (flags.hotwords === undefined) return undefined;
	const list = readWordFile(flags.hotwords, eitherRule(categories));
	return { list, weight };
}

/** The models, or a sentence why not. */
async function load(settings: EngineSettings): Promise<EngineCore | undefined> {
	// only now: a wrong argument must not wait for the native libraries
	const { openCore } = await import("../engine/child/open-core.js");
	try {
		return await openCore(settings);
	} catch (error) {
		complain(settings.modelFolder, error);
		return undefined;
	}
}

async function transcribeAll(
	transcriber: FileTranscriber,
	files: readonly AudioFile[],
	options: TranscribeOptions & { json: boolean },
): Promise<void> {
	for (const file of files) {
		const progress = openProgress(file.name, file.bytes);
		try {
			const transcript = await transcriber.transcribe(file, options, (bytes) =>
				progress.advance(bytes),
			);
			progress.close();
			if (options.json)
				print(JSON.stringify(asJson(transcript, options.words)));
			else print(asText(transcript, files.length > 1));
		} catch (error) {
			progress.close();
			complain(file.path, error);
		}
	}
}

/** The files that can be read; the others are complained of. */
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

function complain(path: string, error: unknown): void {
	const why = error instanceof Error ? error.message : String(error);
	process.stderr.write(`earshot: ${path}: ${why}\n`);
	process.exitCode = 1;
}

/** @throws UsageError */
function languageOf(flag: string | undefined): Language {
	if (flag !== undefined) {
		const language = parseLanguage(flag);
		if (language) return language;
		throw new UsageError(
			`--lang must be one of ${languageNames.join(", ")}; got ${flag}`,
		);
	}
	const locale = process.env.LC_ALL || process.env.LANG || "";
	return parseLanguage(locale.slice(0, 2)) ?? "en-US";
}
