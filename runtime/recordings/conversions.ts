/**
 * Converts stored audio to the requested format, one recording after another, with lower priority than all other work. A recording that is fetched before its
 * turn does not wait for those, only for others that are fetched. What was not converted before the server ended is converted when it is fetched.
 *
 * The result is stored as MP3 or as samples: for a WAV the header is written when it is fetched.
 */

import { setMaxListeners } from "node:events";
import { open } from "node:fs/promises";
import {
	type AudioFormat,
	codecOf,
	isRaw,
	type RawFormat,
} from "../audio/container.js";
import type { Container } from "../audio/decoder-port.js";
import type { AudioEncoder } from "../audio/encoder-port.js";
import { identify } from "../audio/identify.js";
import { sniffBytesMax } from "../audio/sniff.js";
import { CodedError } from "../errors.js";
import { Semaphore } from "../limits/semaphore.js";
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

/** A row whose audio is in the requested format. */
export type ReadyRow = RecordingRow & {
	readonly holds: Exclude<RecordedBytes, { readonly is: "sent" }>;
};

/** Starts an encoding as soon as it may. */
type When = (
	encode: () => Promise<ReadyRow | undefined>,
) => Promise<ReadyRow | undefined>;

/** Samples of these rates are kept as they came (docs/interface.md section 2.3); others become 16 kHz. */
const keptRatesHz: ReadonlySet<number> = new Set([8000, 16000]);
/** Longer than any session. */
const secondsMax = 48 * 3600;

export class Conversions {
	readonly #parts: ConversionParts;
	readonly #underWay = new Map<string, Promise<ReadyRow | undefined>>();
	/** Each encoder is a process: there is one for the queue, and one for what is fetched before its turn. */
	readonly #fetched = new Semaphore(1);
	readonly #abort = new AbortController();
	#waiting: string[] = [];
	#round: Promise<void> | undefined;

	constructor(parts: ConversionParts) {
		this.#parts = parts;
		setMaxListeners(0, this.#abort.signal); // everything that waits listens to it
	}

	/** Converts it in its turn. */
	queue(id: string): void {
		this.#waiting.push(id);
		this.#round ??= this.#work().finally(() => {
			this.#round = undefined;
		});
	}

	/** Converts it before those in the queue if necessary. @returns undefined if it does not exist or can't be converted. @throws StoreError, CodedError 100004 */
	async ready(id: string): Promise<ReadyRow | undefined> {
		return this.#ready(id, (encode) =>
			this.#fetched.run(this.#abort.signal, encode),
		);
	}

	async #ready(id: string, when: When): Promise<ReadyRow | undefined> {
		const row = this.#parts.rows.find(id);
		if (!row) return undefined;
		if (isReady(row)) return row;
		const known = this.#underWay.get(id);
		if (known) return known;
		const made = this.#convert(row, when).finally(() =>
			this.#underWay.delete(id),
		);
		this.#underWay.set(id, made);
		return made;
	}

	/** Waits until no conversion of it is running. */
	async settled(id: string): Promise<void> {
		await this.#underWay.get(id)?.catch(() => undefined);
	}

	/** Also waits for running conversions. */
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
				await this.#ready(id, (encode) => encode());
			} catch (error) {
				if (!this.#abort.signal.aborted)
					this.#parts.log.warn(
						{ err: error },
						"failed to convert a recording, retrying later",
					);
			}
		}
	}

	async #convert(row: RecordingRow, when: When): Promise<ReadyRow | undefined> {
		const { rows, shelf, log } = this.#parts;
		if (row.holds.is !== "sent") return undefined;
		const { format, sampleRateHz } = row.holds;
		let from: Container | RawFormat;
		try {
			from = await contentOf(shelf.path(row.audioId), format as AudioFormat);
		} catch (error) {
			if (!isPermanent(error)) throw error;
			log.warn({ err: error }, "removed an unreadable recording");
			await rows.remove(row.id);
			await shelf.remove(row.audioId);
			return undefined;
		}
		const isSamples = isRaw(from) && codecOf(from) === "s16";
		if (isSamples && row.format !== "mp3" && keptRatesHz.has(sampleRateHz)) {
			const ready: ReadyRow = { ...row, holds: { is: "pcm", sampleRateHz } };
			return (await rows.update(ready)) ? ready : undefined;
		}
		return when(() => this.#encode(row, from, sampleRateHz));
	}

	async #encode(
		row: RecordingRow,
		from: Container | RawFormat,
		sampleRateHz: number,
	): Promise<ReadyRow | undefined> {
		const { rows, shelf, encoder } = this.#parts;
		const to = row.format === "mp3" ? "mp3" : "pcm";
		const draft = await shelf.begin();
		try {
			const made = encoder.encodeFile(shelf.path(row.audioId), {
				from: isRaw(from) ? { codec: codecOf(from), sampleRateHz } : from,
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
				await draft.discard(); // the row was removed meanwhile
				return undefined;
			}
			draft.settle();
			await shelf.remove(row.audioId);
			return ready;
		} catch (error) {
			await draft.discard();
			throw error;
		}
	}
}

/** The audio is invalid or missing; a file that can't be opened now may be readable later. */
function isPermanent(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return error instanceof CodedError || code === "ENOENT";
}

function isReady(row: RecordingRow): row is ReadyRow {
	return row.holds.is !== "sent";
}

/** Identifies the bytes, whatever format the client named. @throws CodedError 200006 */
async function contentOf(
	path: string,
	format: AudioFormat,
): Promise<Container | RawFormat> {
	const file = await open(path, "r");
	try {
		const { buffer, bytesRead } = await file.read({
			buffer: Buffer.alloc(sniffBytesMax),
			position: 0,
		});
		const found = identify(format, buffer.subarray(0, bytesRead), true);
		return found ?? "pcm"; // the whole audio is a few bytes
	} finally {
		await file.close();
	}
}
