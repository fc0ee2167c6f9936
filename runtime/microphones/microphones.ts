/**
 * All microphones of the appliance, and the source of their events.
 */
import { CodedError } from "../errors.js";
import { hotwordsMaxOfRequest } from "../session/options.js";
import type { Microphone } from "./microphone.js";
import type {
	MicrophoneEvent,
	MicrophoneEvents,
	MicrophoneState,
	MicrophoneStats,
} from "./microphone-events.js";

/** Stores what somebody chose, for the next start. @throws StoreError */
export type KeepMuted = (id: string, muted: boolean) => Promise<void>;

export class Microphones implements MicrophoneEvents {
	readonly #byId = new Map<string, Microphone>();
	readonly #listeners = new Set<(event: MicrophoneEvent) => void>();
	readonly #keepMuted: KeepMuted;

	/** @param build creates the microphones; they emit through `emit`. */
	constructor(
		build: (emit: (event: MicrophoneEvent) => void) => Iterable<Microphone>,
		keepMuted: KeepMuted,
	) {
		this.#keepMuted = keepMuted;
		for (const microphone of build((event) => this.#emit(event)))
			this.#byId.set(microphone.place.microphone, microphone);
	}

	onEvent(listener: (event: MicrophoneEvent) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	start(): void {
		for (const microphone of this.#byId.values()) microphone.start();
	}

	/** The configuration was read again. */
	refresh(): void {
		for (const microphone of this.#byId.values()) microphone.refresh();
	}

	/** Another model is in use: what was said so far is finished with the old one. */
	renewAll(): void {
		for (const microphone of this.#byId.values()) microphone.renew();
	}

	async stop(): Promise<void> {
		await Promise.all([...this.#byId.values()].map((it) => it.stop()));
	}

	/** By id. */
	get states(): ReadonlyMap<string, MicrophoneState> {
		return new Map([...this.#byId].map(([id, it]) => [id, it.state]));
	}

	/** In the order of the configuration. */
	get stats(): readonly MicrophoneStats[] {
		return [...this.#byId.values()].map((it) => it.stats);
	}

	/**
	 * At once; resolves when the next start will know it too. @throws CodedError 200002 if the id is unknown. @throws StoreError: it holds until the
	 * appliance stops.
	 */
	mute(id: string, muted: boolean): Promise<void> {
		this.#find(id).setMuted(muted);
		return this.#keepMuted(id, muted);
	}

	readonly isPushToTalk = (id: string): boolean =>
		this.#byId.get(id)?.isPushToTalk ?? false;

	/** Push to talk: the key is pressed (true) or released. @throws CodedError 200002, also for a microphone that is always open. */
	talk(id: string, talking: boolean): void {
		const microphone = this.#find(id);
		if (!microphone.isPushToTalk)
			throw new CodedError(
				"200002",
				`microphone ${JSON.stringify(id)} has no push_to_talk: it listens without a key`,
			);
		microphone.setTalking(talking);
	}

	/** Until the appliance stops. @param words undefined: the configured ones again. @throws CodedError 200002 */
	setHotwords(id: string, words: readonly string[] | undefined): void {
		if (words && words.length > hotwordsMaxOfRequest)
			throw new CodedError(
				"200002",
				`hotwords must be at most ${hotwordsMaxOfRequest}, got ${words.length}; keep more in a database (hotwords_id)`,
			);
		this.#find(id).setHotwords(words);
	}

	/** Lists that its options refer to have changed. @throws CodedError 200002 */
	renew(id: string): void {
		this.#find(id).renew();
	}

	#find(id: string): Microphone {
		const microphone = this.#byId.get(id);
		if (microphone) return microphone;
		const ids = [...this.#byId.keys()].join(", ") || "none";
		throw new CodedError(
			"200002",
			`unknown microphone ${JSON.stringify(id)}; configured: ${ids}`,
		);
	}

	#emit(event: MicrophoneEvent): void {
		for (const listener of this.#listeners) listener(event);
	}
}
