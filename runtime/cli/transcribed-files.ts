/** Transcribes the files of a command line and writes what comes of each to standard output; what goes wrong with one does not end the others. */
import type { Engine } from "../engine/child/open-core.js";
import { segmentsOf } from "../tasks/result/speech-segments.js";
import type { AudioFile } from "./audio-file.js";
import { transcribeTaskOptions } from "./file-options.js";
import {
	asJson,
	asText,
	FileTranscriber,
	type TranscribeOptions,
} from "./file-transcriber.js";
import { openProgress, type Progress } from "./progress.js";
import { explained, type RefinedPart } from "./refinement-text.js";
import {
	speakersAsJson,
	speakersAsText,
	transcribeSpeakers,
} from "./speaker-transcriber.js";
import { writtenSubtitles } from "./subtitles.js";

export interface OutputOptions extends TranscribeOptions {
	readonly json: boolean;
	readonly speakers?: number;
	/** Added to while a file is transcribed; undefined: not wanted. */
	readonly refinements: RefinedPart[] | undefined;
}

export async function transcribeAll(
	engine: Engine,
	files: readonly AudioFile[],
	options: OutputOptions,
): Promise<void> {
	const named = files.length > 1;
	const transcriber = new FileTranscriber(engine.core);
	for (const file of files) {
		const progress = openProgress(file.name, file.bytes);
		try {
			const written =
				options.speakers === undefined
					? await transcribed(file, options, { transcriber, progress, named })
					: await transcribedSpeakers(file, options, {
							workers: engine.workers,
							speakers: options.speakers,
							named,
						});
			progress.close();
			process.stdout.write(written.text);
			if (written.missing !== undefined)
				complain(file.path, `speakers: ${written.missing}`);
		} catch (error) {
			progress.close();
			complain(file.path, error);
		}
	}
}

interface Written {
	readonly text: string;
	/** Why there are no speakers. */
	readonly missing?: string | undefined;
}

async function transcribed(
	file: AudioFile,
	options: OutputOptions,
	{
		transcriber,
		progress,
		named,
	}: { transcriber: FileTranscriber; progress: Progress; named: boolean },
): Promise<Written> {
	const transcript = await transcriber.transcribe(file, options, (bytes) =>
		progress.advance(bytes),
	);
	const { subtitles, json, words } = options;
	const made = options.refinements?.splice(0);
	if (subtitles !== undefined) {
		const { utterances } = transcript;
		const lines = await segmentsOf(transcribeTaskOptions(file, options), {
			channels: [utterances],
			turns: [],
		});
		return { text: writtenSubtitles(subtitles, lines) };
	}
	if (json) {
		const about = asJson(transcript, words);
		return inLine(
			JSON.stringify(made ? { ...about, refinements: made } : about),
		);
	}
	const reasons = (made ?? []).map((one) => `${explained(one)}\n\n`);
	return inLine(reasons.join("") + asText(transcript, named));
}

async function transcribedSpeakers(
	file: AudioFile,
	options: OutputOptions,
	{
		workers,
		speakers,
		named,
	}: { workers: Engine["workers"]; speakers: number; named: boolean },
): Promise<Written> {
	const transcript = await transcribeSpeakers(workers, file, options, speakers);
	const { missing, segments } = transcript;
	const { subtitles, json, language } = options;
	if (subtitles !== undefined)
		return { text: writtenSubtitles(subtitles, segments), missing };
	const text = json
		? JSON.stringify(speakersAsJson(transcript, options))
		: speakersAsText(transcript, named, language);
	return { text: `${text}\n`, missing };
}

function inLine(text: string): Written {
	return { text: `${text}\n` };
}

/** What is wrong with one file; the command ends with 1. */
export function complain(path: string, error: unknown): void {
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`earshot: ${path}: ${reason}\n`);
	process.exitCode = 1;
}
