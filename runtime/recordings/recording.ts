/**
 * One recording while it is made: bytes go to the disk as they come, beside the recognition and never in its way. Whatever goes wrong is kept until the
 * end, where its caller is told.
 */
import { randomBytes } from "node:crypto";
import type { AudioDraft } from "../store/audio-shelf.js";

/** A disk that is so far behind is too slow for this. */
const waitingBytesMax = 16 * 1024 * 1024;

export type RecordingOutcome =
	| { readonly is: "kept"; readonly id: string }
	/** There was nothing to keep. */
	| { readonly is: "empty" }
	| { readonly is: "lost"; readonly why: string };

export interface RecordingStorage {
	/** Makes its row; it is found from then on. */
	readonly keep: (id: string, audioId: string) => Promise<void>;
	/** Its row and its audio, away with them. */
	readonly drop: (id: string) => Promise<void>;
	readonly onLost: (cause: unknown) => void;
}

export class Recording {
	/** In its link; its audio's id on the shelf is another. */
	readonly id = randomBytes(16).toString("base64url");
	readonly #draft: AudioDraft;
	readonly #home: RecordingStorage;
	#tail: Promise<void> = Promise.resolve();
	#waitingBytes = 0;
	#trouble: { readonly cause: unknown } | undefined;
	#sealed: Promise<RecordingOutcome> | undefined;
	#discarded = false;
	#isReported = false;

	constructor(draft: AudioDraft, home: RecordingStorage) {
		this.#draft = draft;
		this.#home = home;
	}

	/** @param bytes copied. */
	write(bytes: Uint8Array): void {
		if (this.#sealed || this.#discarded || this.#trouble) return;
		const own = new Uint8Array(bytes);
		this.#waitingBytes += own.length;
		if (this.#waitingBytes > waitingBytesMax) {
			this.#trouble = { cause: new Error("the disk is too slow") };
			return;
		}
		this.#tail = this.#tail.then(async () => {
			if (this.#trouble || this.#discarded) return;
			try {
				await this.#draft.append(own);
			} catch (cause) {
				this.#trouble ??= { cause };
			}
			this.#waitingBytes -= own.length;
		});
	}

	/** No more comes: it is put where it is found. Idempotent; never rejects. */
	seal(): Promise<RecordingOutcome> {
		this.#sealed ??= this.#tail.then(() => this.#settle());
		return this.#sealed;
	}

	/** Its caller knows of it: it stays. */
	markReported(): void {
		this.#isReported = true;
	}

	/** There is no result that would tell of it; nothing after `tell`. Never rejects. */
	async discard(): Promise<void> {
		if (this.#isReported || this.#discarded) return;
		this.#discarded = true;
		try {
			const outcome = await this.#sealed;
			if (outcome?.is === "kept") await this.#home.drop(outcome.id);
			if (outcome) return;
			await this.#tail;
			await this.#draft.discard();
		} catch (cause) {
			this.#home.onLost(cause);
		}
	}

	async #settle(): Promise<RecordingOutcome> {
		try {
			if (this.#trouble) throw this.#trouble.cause;
			if (this.#draft.bytes === 0) {
				await this.#draft.discard();
				return { is: "empty" };
			}
			await this.#draft.commit();
			await this.#home.keep(this.id, this.#draft.id);
			this.#draft.settle();
			return { is: "kept", id: this.id };
		} catch (cause) {
			this.#home.onLost(cause);
			await this.#draft.discard().catch(() => {}); // the next start sweeps it up
			const why = cause instanceof Error ? cause.message : "storage failed";
			return { is: "lost", why };
		}
	}
}
