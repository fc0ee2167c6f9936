/**
 * Stored audio of short recognitions (`audio_url`): recorded during the recognition, converted when the device is idle, available under its link for 30
 * days, then removed.
 */

import type { AudioEncoder } from "../audio/encoder-port.js";
import type { Clock } from "../clock/clock.js";
import type { Logger } from "../log/log.js";
import type { Lane } from "../session/lane-port.js";
import type {
	RecognitionOptions,
	RecordingRequest,
} from "../session/options.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import { eachTried } from "../store/each-tried.js";
import type { RecordingRepository, RecordingRow } from "../store/recordings.js";
import type { AudioLinks } from "./audio-links.js";
import { Conversions, type ReadyRow } from "./conversions.js";
import { Recording } from "./recording.js";
import { type Recorder, RecordingLane } from "./recording-lane.js";

export interface RecordingsParts {
	readonly rows: RecordingRepository;
	readonly shelf: AudioShelf;
	readonly encoder: AudioEncoder;
	readonly links: AudioLinks;
	readonly clock: Clock;
	/** How long a result waits for its recording (`RecordingLane`). */
	readonly sealMsMax?: number;
	readonly log: Logger;
}

/** docs/interface.md section 8: stored audio is kept for 30 days. */
const keptSeconds = 30 * 86_400;
const hourMs = 3_600_000;

export class Recordings {
	readonly #parts: RecordingsParts;
	readonly #conversions: Conversions;
	#timer: NodeJS.Timeout | undefined;
	#sweep: Promise<void> = Promise.resolve();

	constructor(parts: RecordingsParts) {
		this.#parts = parts;
		this.#conversions = new Conversions(parts);
	}

	/** Wraps a lane so that its recognitions are recorded if requested. */
	recordedLane(lane: Lane): Lane {
		const recorder: Recorder = {
			begin: (request, options) => this.#begin(request, options),
			urlOf: ({ id }, { baseUrl, format }) =>
				this.#parts.links.link(
					baseUrl,
					`${id}.${format}`,
					this.#parts.clock.expirySeconds() + keptSeconds,
				),
		};
		return new RecordingLane(lane, recorder, this.#parts.sealMsMax);
	}

	get links(): AudioLinks {
		return this.#parts.links;
	}

	get shelf(): Pick<AudioShelf, "path" | "size"> {
		return this.#parts.shelf;
	}

	/** @returns undefined if it does not exist or has expired. */
	find(id: string): RecordingRow | undefined {
		const row = this.#parts.rows.find(id);
		return row && !this.#isOld(row) ? row : undefined;
	}

	/** In the requested format, converted now if necessary. @throws StoreError, CodedError 100004 */
	ready(id: string): Promise<ReadyRow | undefined> {
		return this.#conversions.ready(id);
	}

	/** The time to compare a link's expiry with. @param row of the recording that it leads to */
	linkSeconds(row: RecordingRow | undefined): number {
		return this.#parts.clock.expirySeconds(row && madeOf(row));
	}

	/** Ids of all audio files of recordings. */
	async *audioIds(): AsyncGenerator<string> {
		for await (const { audioId } of this.#parts.rows.list()) yield audioId;
	}

	start(): void {
		this.#timer = setInterval(() => void this.sweep(), hourMs);
		this.#timer.unref();
		void this.sweep();
	}

	/** Also waits for running work. */
	async stop(): Promise<void> {
		clearInterval(this.#timer);
		await this.#conversions.stop();
		await this.#sweep;
	}

	/** Removes recordings that are old enough. Never rejects. */
	sweep(): Promise<void> {
		this.#sweep = this.#sweep
			.then(() => this.#removeOld())
			.catch((error: unknown) =>
				this.#parts.log.error(
					{ err: error },
					"failed to delete old recordings, retrying in an hour",
				),
			);
		return this.#sweep;
	}

	async #begin(
		request: RecordingRequest,
		{ format, sampleRateHz }: RecognitionOptions,
	): Promise<Recording> {
		const { rows, shelf, clock, log } = this.#parts;
		const draft = await shelf.begin();
		return new Recording(draft, {
			keep: async (id, audioId) => {
				await rows.put({
					id,
					owner: request.owner,
					format: request.format,
					audioId,
					createdSeconds: clock.nowSeconds(),
					createdOperatingSeconds: clock.operatingSeconds(),
					holds: { is: "sent", format, sampleRateHz },
				});
				this.#conversions.queue(id);
			},
			drop: (id) => this.#remove(id),
			onLost: (cause) => log.warn({ err: cause }, "recording lost"),
		});
	}

	#isOld(row: RecordingRow): boolean {
		return this.#parts.clock.ageSeconds(madeOf(row)) >= keptSeconds;
	}

	async #removeOld(): Promise<void> {
		if (!this.#parts.clock.countsAges) return;
		await eachTried(this.#parts.rows.list(), async (row) => {
			if (this.#isOld(row)) await this.#remove(row.id);
		});
	}

	async #remove(id: string): Promise<void> {
		const { rows, shelf } = this.#parts;
		await this.#conversions.settled(id); // a conversion changes the audio id
		const row = rows.find(id);
		if (!row) return;
		await shelf.remove(row.audioId); // first: on a full disk no row can be changed, and this makes room
		await rows.remove(id);
	}
}

function madeOf({ createdSeconds, createdOperatingSeconds }: RecordingRow) {
	return { seconds: createdSeconds, operatingSeconds: createdOperatingSeconds };
}
