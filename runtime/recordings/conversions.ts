/**
 * What a client sent becomes what it asked for, one recording after the other and behind everything else that the device does. One that is fetched before its
 * turn has come goes first. What was not made before the server ended is made when it is asked for.
 *
 * Kept are an MP3, or samples: a WAV is samples behind a header that is written when it is fetched.
 */

import { open } from "node:fs/promises";
import type { AudioFormat } from "../audio/container.js";
import type { Container } from "../audio/decoder-port.js";
import type { AudioEncoder } from "../audio/encoder-port.js";
import { identify } from "../audio/identify.js";
import type { PcmRateHz } from "../audio/sample-rate.js";
import { sniffBytesMax } from "../audio/sniff.js";
import { CodedError } from "../errors.js";
import type { Logger } from "../log/log.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type {
	RecordedBytes,
	RecordingRepository,
	RecordingRow,
} from "../store/recordings.js";

export interface ConversionParts {
	readonly rows: RecordingRepository;
	readonly shelf: AudioShelf;
	readonly encoder: AudioEncoder;
	readonly log: Logger;
}

/** A row that holds what its caller gets. */
export type ReadyRow = RecordingRow & {
	readonly holds: Exclude<RecordedBytes, { readonly is: "sent" }>;
};

/** Nobody speaks longer into one session. */
const secondsMax = 48 * 3600;

export class Conversions {
	readonly #parts: ConversionParts;
	readonly #underWay = new Map<string, Promise<ReadyRow | undefined>>();
	readonly #abort = new AbortController();
	#waiting: string[] = [];
	#round: Promise<void> | undefined;

	constructor(parts: ConversionParts) {
		this.#parts = parts;
	}

	/** In its turn. */
	queue(id: string): void {
		this.#waiting.push(id);
		this.#round ??= this.#work().finally(() => {
			this.#round = undefined;
		});
	}

	/** Now. @returns undefined where there is none, or nothing can be made of it. @throws StoreError, CodedError 100004 */
	async ready(id: string): Promise<ReadyRow | undefined> {
		const row = this.#parts.rows.find(id);
		if (!row) return undefined;
		if (isReady(row)) return row;
		const known = this.#underWay.get(id);
		if (known) return known;
		const made = this.#convert(row).finally(() => this.#underWay.delete(id));
		this.#underWay.set(id, made);
		return made;
	}

	/** Nothing is made of it at this moment. */
	async settled(id: string): Promise<void> {
		await this.#underWay.get(id)?.catch(() => undefined);
	}

	/** Also waits for what is under way. */
	async stop(): Promise<void> {
		this.#waiting = [];
		this.#abort.abort(new Error("the server is stopping"));
		await this.#round;
		await Promise.allSettled(this.#underWay.values());
	}

	async #work(): Promise<void> {
		for (;;) {
			const id = this.#waiting.shift();
			if (id === undefined) return;
			try {
				await this.ready(id);
			} catch (error) {
				if (!this.#abort.signal.aborted)
					this.#parts.log.warn(
						{ err: error },
						"failed to convert a recording, retrying later",
					);
			}
		}
	}

	async #convert(row: RecordingRow): Promise<ReadyRow | undefined> {
		const { rows, shelf, log } = this.#parts;
		if (row.holds.is !== "sent") return undefined;
		const { format, sampleRateHz } = row.holds;
		let from: Container | "pcm";
		try {
			from = await contentOf(shelf.path(row.audioId), format as AudioFormat);
		} catch (error) {
			if (!isBeyondMending(error)) throw error;
			log.warn({ err: error }, "removed an unreadable recording");
			await rows.remove(row.id);
			await shelf.remove(row.audioId);
			return undefined;
		}
		if (from === "pcm" && row.format !== "mp3") {
			const ready: ReadyRow = { ...row, holds: { is: "pcm", sampleRateHz } };
			return (await rows.update(ready)) ? ready : undefined;
		}
		return this.#encode(row, from, sampleRateHz);
	}

	async #encode(
		row: RecordingRow,
		from: Container | "pcm",
		sampleRateHz: PcmRateHz,
	): Promise<ReadyRow | undefined> {
		const { rows, shelf, encoder } = this.#parts;
		const to = row.format === "mp3" ? "mp3" : "pcm";
		const draft = await shelf.begin();
		try {
			const made = encoder.encodeFile(shelf.path(row.audioId), {
				from,
				sampleRateHz,
				to,
				secondsMax,
				signal: this.#abort.signal,
			});
			for await (const bytes of made) await draft.append(bytes);
			await draft.commit();
			const ready: ReadyRow = {
				...row,
				audioId: draft.id,
				holds:
					to === "mp3" ? { is: "mp3" } : { is: "pcm", sampleRateHz: 16000 },
			};
			if (!(await rows.update(ready))) {
				await draft.discard(); // removed meanwhile, and stays so
				return undefined;
			}
			draft.settle();
			await shelf.remove(row.audioId);
			return ready;
		} catch (thrown) {
			await draft.discard();
			throw thrown;
		}
	}
}

/** Its bytes are nothing, or gone; a file that can't be opened now may be another time. */
function isBeyondMending(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return error instanceof CodedError || code === "ENOENT";
}

function isReady(row: RecordingRow): row is ReadyRow {
	return row.holds.is !== "sent";
}

/** What the bytes are, whatever the client called them. @throws CodedError 200006 */
async function contentOf(
	path: string,
	format: AudioFormat,
): Promise<Container | "pcm"> {
	const file = await open(path, "r");
	try {
		const { buffer, bytesRead } = await file.read({
			buffer: Buffer.alloc(sniffBytesMax),
			position: 0,
		});
		const found = identify(format, buffer.subarray(0, bytesRead), true);
		return found ?? "pcm";
	} finally {
		await file.close();
	}
}
