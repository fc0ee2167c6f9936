/**
 * One recording in progress: bytes are written to disk as they arrive, without delaying the recognition. Errors are kept until the
 * end and reported to the caller then.
 */
import { randomBytes } from "node:crypto";
import type { AudioDraft } from "../store/audio-shelf.js";

/** A disk with a larger backlog is too slow to record. */
const waitingBytesMax = 16 * 1024 * 1024;

export type RecordingOutcome =
	| { readonly is: "kept"; readonly id: string }
	/** There was no audio. */
	| { readonly is: "empty" }
	| { readonly is: "lost"; readonly why: string };

export interface RecordingStorage {
	/** Creates its row; from then on it can be found. */
	readonly keep: (id: string, audioId: string) => Promise<void>;
	/** Removes its row and its audio. */
	readonly drop: (id: string) => Promise<void>;
	readonly onLost: (cause: unknown) => void;
}

export class Recording {
	/** Part of its link; the id of its audio file is another. */
	readonly id = randomBytes(16).toString("base64url");
	readonly #draft: AudioDraft;
	readonly #storage: RecordingStorage;
	#tail: Promise<void> = Promise.resolve();
	#waitingBytes = 0;
	#error: { readonly cause: unknown } | undefined;
	#sealed: Promise<RecordingOutcome> | undefined;
	#discarded = false;
	#isReported = false;

	constructor(draft: AudioDraft, storage: RecordingStorage) {
		this.#draft = draft;
		this.#storage = storage;
	}

	/** @param bytes copied. */
	write(bytes: Uint8Array): void {
		if (this.#sealed || this.#discarded || this.#error) return;
		const own = new Uint8Array(bytes);
		this.#waitingBytes += own.length;
		if (this.#waitingBytes > waitingBytesMax) {
			this.#error = { cause: new Error("the disk is too slow") };
			return;
		}
		this.#tail = this.#tail.then(async () => {
			if (this.#error || this.#discarded) return;
			try {
				await this.#draft.append(own);
			} catch (cause) {
				this.#error ??= { cause };
			}
			this.#waitingBytes -= own.length;
		});
	}

	/** No more bytes will come: stores the recording. Idempotent; never rejects. */
	seal(): Promise<RecordingOutcome> {
		this.#sealed ??= this.#tail.then(() => this.#settle());
		return this.#sealed;
	}

	/** The caller has received the link: the recording is kept. */
	markReported(): void {
		this.#isReported = true;
	}

	/** Discards a recording without a result; no effect after `markReported`. Never rejects. */
	async discard(): Promise<void> {
		if (this.#isReported || this.#discarded) return;
		this.#discarded = true;
		try {
			const outcome = await this.#sealed;
			if (outcome?.is === "kept") await this.#storage.drop(outcome.id);
			if (outcome) return;
			await this.#tail;
			await this.#draft.discard();
		} catch (cause) {
			this.#storage.onLost(cause);
		}
	}

	async #settle(): Promise<RecordingOutcome> {
		try {
			if (this.#error) throw this.#error.cause;
			if (this.#draft.bytes === 0) {
				await this.#draft.discard();
				return { is: "empty" };
			}
			await this.#draft.commit();
			await this.#storage.keep(this.id, this.#draft.id);
			this.#draft.settle();
			return { is: "kept", id: this.id };
		} catch (cause) {
			this.#storage.onLost(cause);
			await this.#draft.discard().catch(() => {}); // the next start removes it
			const why = cause instanceof Error ? cause.message : "storage failed";
			return { is: "lost", why };
		}
	}
}
