/**
 * A recognizer for each language where that pays: to the rest of an engine it is one recognizer that serves more languages. The others' models are in model-slots.ts.
 *
 * Who serves what is in served-languages.ts; mixed speech that no model knows is recognized run by run (mixed-by-runs.ts).
 *
 * INVARIANT: the main recognizer stays open, and serves a language whose own model fails or does not fit into memory, if it can.
 */
import { CodedError } from "../../errors.js";
import type {
	HotwordOptions,
	Hypothesis,
	RecognizerAbilities,
	SegmentRequest,
	SpeechRecognizer,
} from "../../models/recognizer.js";
import {
	languages as allLanguages,
	type Language,
	type LanguagePair,
} from "../../text/languages.js";
import type { LanguageModelState } from "../protocol.js";
import {
	otherServing,
	pairByRuns,
	servedLanguages,
} from "../served-languages.js";
import { commonAbilities, recognizeInBoth } from "./mixed-by-runs.js";
import {
	type LanguageModelReports,
	type LanguageModelSource,
	ModelSlots,
	type Slot,
} from "./model-slots.js";
import { RecentReadings } from "./recent-readings.js";

export class LanguageModels implements SpeechRecognizer {
	readonly #main: SpeechRecognizer;
	readonly #slots: ModelSlots;
	readonly #readings = new RecentReadings((it) => this.recognize(it));

	private constructor(main: SpeechRecognizer, slots: ModelSlots) {
		this.#main = main;
		this.#slots = slots;
	}

	/**
	 * @param main serves all other languages; closed by whoever opened it.
	 * @param hasRoomFor whether this many more bytes fit into memory.
	 */
	static async open(
		main: SpeechRecognizer,
		sources: readonly LanguageModelSource[],
		hasRoomFor: (bytes: number) => boolean,
		reports: LanguageModelReports = {},
	): Promise<LanguageModels> {
		const slots = new ModelSlots(sources, hasRoomFor, reports);
		for (const slot of slots.all) await slots.opened(slot);
		return new LanguageModels(main, slots);
	}

	get name(): string {
		return this.#main.name;
	}

	/** With those of models that work. */
	get languages(): readonly Language[] {
		return servedLanguages(this.#serving);
	}

	get capabilities() {
		return this.#main.capabilities;
	}

	get translates() {
		return this.#main.translates ?? false;
	}

	get processors() {
		return this.#main.processors ?? [];
	}

	/** In the order of the configuration. */
	get states(): readonly LanguageModelState[] {
		return this.#slots.all.map(({ source, opened, failure }) => ({
			name: source.name,
			languages: allLanguages.filter(
				(it) =>
					source.languages.includes(it) || this.#slotOf(it)?.source === source,
			),
			state: failure !== undefined ? "failed" : opened ? "open" : "closed",
			...(failure !== undefined && { why: failure }),
		}));
	}

	servedBy(language: Language): RecognizerAbilities {
		const pair = this.#pairByRuns(language);
		if (!pair) return this.#slotOf(language)?.abilities ?? this.#main;
		const [eastern, english] = pair;
		return commonAbilities(
			this.servedBy(eastern),
			this.servedBy(english),
			language,
		);
	}

	/** Keeps the language's model open until the result is called. */
	hold(language: Language): () => void {
		const releases = this.#pairByRuns(language)?.map((it) => this.hold(it));
		if (releases)
			return () => {
				for (const release of releases) release();
			};
		const slot = this.#slotOf(language);
		if (!slot) return () => {};
		slot.holders++;
		let isHeld = true;
		return () => {
			if (isHeld) slot.holders--;
			isHeld = false;
		};
	}

	get identifyLanguage(): SpeechRecognizer["identifyLanguage"] {
		return this.#main.identifyLanguage?.bind(this.#main);
	}

	*preparing(hotwords: HotwordOptions, language: Language): Iterable<void> {
		for (const it of this.#pairByRuns(language) ?? [language]) {
			const slot = this.#slotOf(it);
			const recognizer = slot ? slot.opened?.recognizer : this.#main;
			yield* recognizer?.preparing?.(hotwords, it) ?? [];
		}
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const [result] = await this.recognizeAll([request]);
		return result as Hypothesis | "cancelled";
	}

	/** A batch is for one model. */
	nextBatch(
		waiting: readonly SegmentRequest[],
		concurrentBatches: number,
	): readonly SegmentRequest[] {
		const [first] = waiting;
		if (!first) return [];
		if (this.#pairByRuns(first.language)) return [first];
		const slot = this.#slotFor(first);
		const own = waiting.filter(
			(it) => this.#slotFor(it) === slot && !this.#pairByRuns(it.language),
		);
		const recognizer = slot ? slot.opened?.recognizer : this.#main;
		return recognizer?.nextBatch?.(own, concurrentBatches) ?? [first];
	}

	/** @param requests for one model, see `nextBatch`. */
	async recognizeAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const [first] = requests;
		const pair = first && this.#pairByRuns(first.language);
		if (pair) return this.#byRuns(requests, pair);
		const slot = first && this.#slotFor(first);
		if (!slot) return all(this.#main, requests);
		const release = this.hold(first.language);
		try {
			const opened = await this.#slots.opened(slot);
			const results = opened && (await all(opened.recognizer, requests));
			slot.errors = 0;
			if (results) return results;
		} catch (error) {
			this.#slots.countError(slot, error);
		} finally {
			release();
		}
		return all(this.#instead(first.language), requests);
	}

	async #byRuns(
		requests: readonly SegmentRequest[],
		pair: LanguagePair,
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const results: (Hypothesis | "cancelled")[] = [];
		for (const request of requests)
			results.push(
				await recognizeInBoth(request, pair, (it) =>
					this.#readings.recognize(it),
				),
			);
		return results;
	}

	close(): Promise<void> {
		return this.#slots.close();
	}

	get #serving() {
		const others = this.#slots.working.map((slot) => ({
			slot,
			named: slot.source.languages,
			knows: slot.abilities?.languages ?? [],
		}));
		return { main: this.#main.languages, others };
	}

	/** Undefined where the main recognizer is to do it, as every translation. */
	#slotFor({ language, translatedFrom }: SegmentRequest): Slot | undefined {
		return translatedFrom ? undefined : this.#slotOf(language);
	}

	/** Undefined where the main recognizer serves the language, or several do. */
	#slotOf(language: Language): Slot | undefined {
		return otherServing(language, this.#serving)?.slot;
	}

	#pairByRuns(language: Language): LanguagePair | undefined {
		return pairByRuns(language, this.#serving);
	}

	/** @throws CodedError 100003 */
	#instead(language: Language): SpeechRecognizer {
		if (this.#main.languages.includes(language)) return this.#main;
		throw new CodedError(
			"100003",
			`the model for ${language} failed, and ${this.#main.name} does not support that language`,
		);
	}
}

async function all(
	recognizer: SpeechRecognizer,
	requests: readonly SegmentRequest[],
): Promise<readonly (Hypothesis | "cancelled")[]> {
	if (recognizer.recognizeAll && requests.length > 1)
		return recognizer.recognizeAll(requests);
	const results: (Hypothesis | "cancelled")[] = [];
	for (const request of requests)
		results.push(await recognizer.recognize(request));
	return results;
}
