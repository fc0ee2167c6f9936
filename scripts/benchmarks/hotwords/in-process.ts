/**
 * earshot in this process, without HTTP: the whole pipeline of an engine, voice activity and passages included. Lists of hotwords are compiled before the clock
 * starts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineCore } from "../../../runtime/engine/child/engine-core.js";
import { openCore } from "../../../runtime/engine/child/open-core.js";
import { switchedOff } from "../../../runtime/session/options.js";
import type { Language } from "../../../runtime/text/languages.js";
import { langTypes } from "../clips.js";
import type { ScoredLanguage } from "../scoring.js";

export interface TimedText {
	readonly text: string;
	readonly seconds: number;
}

interface Settings {
	readonly modelFolder: string;
	readonly threads: number;
	/** Of every hotword. */
	readonly weight: number;
}

export class InProcessEarshot {
	readonly #settings: Settings;
	readonly #spoolFolder = mkdtempSync(join(tmpdir(), "earshot-bench-"));
	/** A list is one object, compiled once. */
	readonly #lists = new Map<
		readonly string[],
		{ key: string; entries: readonly string[] }
	>();

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	open(secondEarFolder?: string): Promise<EngineCore> {
		const { modelFolder, threads } = this.#settings;
		return openCore({
			modelFolder,
			voiceActivityFolder: "models/silero-vad",
			speakerFolder: "models/campplus-zh-en",
			...(secondEarFolder && { secondEarFolder }),
			threads,
			processor: "cpu",
			recognizers: 1,
			beam: 5,
			spoolFolder: this.#spoolFolder,
			spoolBytesMax: 1e9,
			verify: false,
		});
	}

	/** @param entries hotwords; the same array is the same list, compiled once. */
	async recognize(
		core: EngineCore,
		samples: Int16Array,
		language: ScoredLanguage,
		entries?: readonly string[],
	): Promise<TimedText> {
		let list = entries && this.#lists.get(entries);
		if (entries && !list) {
			list = { key: `bench ${this.#lists.size}`, entries };
			this.#lists.set(entries, list);
		}
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const recognition = core.open(
				{
					language: langTypes[language] as Language,
					format: "pcm",
					sampleRateHz: 16000,
					gain: 1,
					durationSecondsMax: 600,
					maxSentenceSilenceMs: 800,
					oneText: true,
					...switchedOff,
					punctuation: true,
					partials: false,
					...(list && { hotwords: { list, weight: this.#settings.weight } }),
				},
				{
					onEvent: (event) => {
						if (event.is !== "completed") return;
						const seconds = (performance.now() - started) / 1000;
						resolve({ text: event.text, seconds });
					},
					onFailed: reject,
					onUsed: () => {},
					onEnded: () => {},
				},
			);
			recognition.push(Buffer.from(samples.buffer));
			recognition.finish();
		});
	}

	/** After the cores: with the folder that they spool to. */
	close(): void {
		rmSync(this.#spoolFolder, { recursive: true, force: true });
	}
}
