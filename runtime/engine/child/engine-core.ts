/**
 * An engine without its process: loaded models, the recognitions running on them, and the probe that proves they work. The child binds it
 * to the protocol; `transcribe` uses it directly.
 */

import { readFile } from "node:fs/promises";
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import { CodedError } from "../../errors.js";
import type { ProcessorChoice } from "../../models/inference-port.js";
import { PackageError } from "../../models/package/model-package.js";
import type { SessionEvent } from "../../session/events.js";
import { parseLanguage } from "../../session/languages.js";
import {
	type RecognitionOptions,
	sentenceSilenceMsDefault,
	switchedOff,
} from "../../session/options.js";
import type { Language } from "../../text/languages.js";
import type {
	EngineLoad,
	LanguageModelState,
	ProbeResult,
} from "../protocol.js";
import { DecodeScheduler } from "./decode-scheduler.js";
import { holdModel } from "./hold-model.js";
import {
	HostedRecognition,
	type RecognitionListener,
} from "./hosted-recognition.js";
import type { Models } from "./models.js";
import type { Probe } from "./probe.js";
import { refuseUnsupported } from "./refusals.js";
import { wakeable } from "./wakeable.js";

export class EngineCore {
	readonly #models: Models;
	readonly #decoder: ContainerDecoder;
	readonly #scheduler: DecodeScheduler;
	readonly #open = new Set<HostedRecognition>();

	readonly #partialMs: number | undefined;

	/** @param beam for requests that do not set one. @param partialMs minimum amount of speech between two partials. */
	constructor(
		models: Models,
		decoder: ContainerDecoder,
		beam: number,
		partialMs?: number,
	) {
		this.#models = models;
		this.#decoder = decoder;
		this.#partialMs = partialMs;
		this.#scheduler = new DecodeScheduler(models.recognizer, beam);
	}

	/** The model package's name. */
	get model(): string {
		return this.#models.recognizer.name;
	}

	get languages(): readonly Language[] {
		return this.#models.recognizer.languages;
	}

	/** Those beside the main one. */
	get languageModels(): readonly LanguageModelState[] {
		return this.#models.languageModels?.states ?? [];
	}

	get processors(): readonly ProcessorChoice[] {
		return this.#models.recognizer.processors ?? [];
	}

	get audioSeconds(): number {
		return this.#scheduler.audioSeconds;
	}

	get decodeSeconds(): number {
		return this.#scheduler.decodeSeconds;
	}

	/** Starts a recognition. @throws CodedError 200008, 200002 */
	open(
		options: RecognitionOptions,
		listener: RecognitionListener,
	): HostedRecognition {
		const { recognizer } = this.#models;
		refuseUnsupported(recognizer, options);
		// may refuse a wake word: before anything is held
		const segmenter = wakeable(
			this.#models.createSegmenter(options),
			options.wake,
			this.#models.secondEar,
		);
		const hold = () => holdModel(recognizer, recognition.options);
		const partialMs = this.#partialMs;
		const recognition = new HostedRecognition(
			{ ...options, ...(partialMs !== undefined && { partialMs }) },
			segmenter,
			this.#decoder,
			this.#scheduler,
			{
				onEvent: (event) => listener.onEvent(event),
				onFailed: (error) => listener.onFailed(error),
				onUsed: (bytes) => listener.onUsed(bytes),
				onLanguage: () => {
					release ??= hold();
				},
				onEnded: () => {
					this.#open.delete(recognition);
					release?.();
					listener.onEnded();
				},
			},
		);
		this.#open.add(recognition);
		let release = hold();
		void recognition.run();
		return recognition;
	}

	/** Decodes the package's own clip as a request would. @throws when it can't be decoded at all. */
	async probe(): Promise<ProbeResult> {
		const probe = this.#probeClip;
		const since = performance.now();
		const text = await this.#transcribeProbe(probe, {});
		const plain = text.toLowerCase();
		return {
			text,
			wordsMissing: probe.words.filter(
				(word) => !plain.includes(word.toLowerCase()),
			),
			decodeMs: Math.round(performance.now() - since),
		};
	}

	/** Transcribes the probe clip to measure its cost: seconds of speech, and of recognizer time. */
	async measureProbe(
		options: Pick<RecognitionOptions, "beam" | "punctuation">,
	): Promise<Pick<EngineLoad, "audioSeconds" | "decodeSeconds">> {
		const { audioSeconds, decodeSeconds } = this;
		await this.#transcribeProbe(this.#probeClip, options);
		return {
			audioSeconds: this.audioSeconds - audioSeconds,
			decodeSeconds: this.decodeSeconds - decodeSeconds,
		};
	}

	/** Cancels every recognition and closes the models. */
	async close(): Promise<void> {
		for (const recognition of this.#open) recognition.cancel();
		await this.#models.close();
	}

	get #probeClip(): Probe {
		const { probe, recognizer } = this.#models;
		if (probe) return probe;
		throw new PackageError(
			`${recognizer.name} has no probe clip: add it again with --probe, or its recognition can't be checked (docs/models.md)`,
		);
	}

	async #transcribeProbe(
		probe: Probe,
		options: Partial<RecognitionOptions>,
	): Promise<string> {
		const bytes = await readFile(probe.path);
		return new Promise((resolve, reject) => {
			const recognition = this.open(
				{ ...probeOptions(probe), ...options },
				{
					onEvent: (event: SessionEvent) => {
						if (event.is === "completed") resolve(event.text);
					},
					onFailed: reject,
					onUsed: () => {},
					onEnded: () => {},
				},
			);
			recognition.push(bytes);
			recognition.finish();
		});
	}
}

function probeOptions(probe: Probe): RecognitionOptions {
	const language = parseLanguage(probe.language);
	if (!language)
		throw new CodedError(
			"100003",
			`the model's probe has an unknown language: ${probe.language}`,
		);
	return {
		language,
		format: "wav",
		sampleRateHz: 16000,
		gain: 1,
		durationSecondsMax: 60,
		maxSentenceSilenceMs: sentenceSilenceMsDefault,
		...switchedOff,
		partials: false,
	};
}
