/**
 * The models for single languages beside the main one: each was open once, so that its abilities are known; when memory is short, the one that was not used for the
 * longest is closed, and opened again when it is needed.
 *
 * INVARIANT: a model that a recognition holds, or that is at work, is not closed.
 */
import type {
	RecognizerAbilities,
	SpeechRecognizer,
} from "../../models/recognizer.js";
import type { Language } from "../../text/languages.js";

/** A model beside the main one. */
export interface LanguageModelSource {
	/** The package's name. */
	readonly name: string;
	/** Served with it. */
	readonly languages: readonly Language[];
	/** What it needs in memory, an estimate. */
	readonly bytes: number;
	/** @throws when it can't be used: it is damaged, or recognizes nothing. */
	open(): Promise<OpenedModel>;
}

export interface OpenedModel {
	readonly recognizer: SpeechRecognizer;
	/** Closes all that was opened with it. */
	close(): Promise<void>;
}

export interface LanguageModelReports {
	/** The main recognizer serves its languages now. */
	readonly onModelFailed?: (name: string, error: unknown) => void;
}

export interface Slot {
	readonly source: LanguageModelSource;
	/** Undefined until it was open once. */
	abilities: RecognizerAbilities | undefined;
	opened: OpenedModel | undefined;
	opening: Promise<OpenedModel | undefined> | undefined;
	/** Recognitions that may need it, and calls at work. */
	holders: number;
	/** Of all uses, which number was the last. */
	lastUse: number;
	/** Runs that failed since the last one that did not. */
	errors: number;
	failure: string | undefined;
}

/** An error may be due to one segment; this many in a row are the model's. */
const errorsMax = 3;

/** Memory is short. */
class NoRoom extends Error {
	override readonly name = "NoRoom";
}

export class ModelSlots {
	readonly all: readonly Slot[];
	readonly #hasRoomFor: (bytes: number) => boolean;
	readonly #reports: LanguageModelReports;
	#uses = 0;

	/** @param hasRoomFor whether this many more bytes fit into memory. */
	constructor(
		sources: readonly LanguageModelSource[],
		hasRoomFor: (bytes: number) => boolean,
		reports: LanguageModelReports,
	) {
		this.all = sources.map((source) => ({
			source,
			abilities: undefined,
			opened: undefined,
			opening: undefined,
			holders: 0,
			lastUse: 0,
			errors: 0,
			failure: undefined,
		}));
		this.#hasRoomFor = hasRoomFor;
		this.#reports = reports;
	}

	/** Those that can be used, perhaps after they were opened again. */
	get working(): readonly Slot[] {
		return this.all.filter(
			({ failure, abilities }) => failure === undefined && abilities,
		);
	}

	/** A run of the model failed. */
	countError(slot: Slot, error: unknown): void {
		if (++slot.errors >= errorsMax) this.#fail(slot, error);
	}

	async close(): Promise<void> {
		for (const slot of this.all) {
			await slot.opening?.catch(() => {});
			await slot.opened?.close();
		}
	}

	/** @returns undefined where it can't be opened: the main recognizer does its work. */
	async opened(slot: Slot): Promise<OpenedModel | undefined> {
		slot.lastUse = ++this.#uses;
		if (slot.opened) return slot.opened;
		slot.opening ??= this.#open(slot).finally(() => {
			slot.opening = undefined;
		});
		return slot.opening;
	}

	async #open(slot: Slot): Promise<OpenedModel | undefined> {
		const { source } = slot;
		slot.holders++;
		try {
			await this.#makeRoom(source.bytes);
			slot.opened = await source.open();
			const { recognizer } = slot.opened;
			slot.abilities = {
				name: recognizer.name,
				languages: recognizer.languages,
				capabilities: recognizer.capabilities,
				translates: recognizer.translates ?? false,
			};
			return slot.opened;
		} catch (error) {
			const mayFitLater = error instanceof NoRoom && slot.abilities;
			if (!mayFitLater) this.#fail(slot, error);
			return undefined;
		} finally {
			slot.holders--;
		}
	}

	/** Closes what was not used for the longest. @throws where that is not enough. */
	async #makeRoom(bytes: number): Promise<void> {
		while (!this.#hasRoomFor(bytes)) {
			const [oldest] = this.all
				.filter(({ opened, holders }) => opened && holders === 0)
				.sort((a, b) => a.lastUse - b.lastUse);
			if (!oldest)
				throw new NoRoom(
					`it needs about ${Math.round(bytes / 1e6)} MB of memory, which are not there`,
				);
			const { opened } = oldest;
			oldest.opened = undefined;
			await opened?.close();
		}
	}

	/** Until the engine is started again. */
	#fail(slot: Slot, error: unknown): void {
		slot.failure = error instanceof Error ? error.message : String(error);
		this.#reports.onModelFailed?.(slot.source.name, error);
		const { opened } = slot;
		slot.opened = undefined;
		void opened?.close().catch(() => {});
	}
}
