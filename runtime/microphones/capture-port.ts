/**
 * The capture port: what the capture process asks of whatever records sound. `drivers/alsa` implements it; tests may fake it.
 */

import type { SampleFormat } from "../audio/array/channels.js";

export {
	type SampleFormat,
	sampleFormats,
} from "../audio/array/channels.js";

export interface CaptureRequest {
	/** Any ALSA name: `hw:1,0`, `plughw:CARD=ArrayUAC10`, `default`. */
	readonly device: string;
	/** 1 to 16. */
	readonly channels: number;
	/** The nearest one that the card has is used. */
	readonly rateHz: number;
	/** Undefined: the first of `sampleFormats` that the card has. */
	readonly format: SampleFormat | undefined;
	/** How much one read brings, and how much the card holds while nobody reads. */
	readonly periodMs: number;
	readonly bufferMs: number;
}

export interface CaptureDevice {
	readonly format: SampleFormat;
	readonly channels: number;
	readonly rateHz: number;
	readonly periodFrames: number;
	/** Interleaved frames, at most a period of them; valid until the next read. One call at a time. @throws CaptureError */
	read(): Promise<Uint8Array>;
	/** After an overrun (EPIPE) or a suspension (ESTRPIPE): what was not read is lost, recording goes on. @throws CaptureError */
	recover(error: CaptureError): Promise<void>;
	/** Idempotent. */
	close(): Promise<void>;
}

/** @throws CaptureError */
export type OpenCapture = (request: CaptureRequest) => Promise<CaptureDevice>;

/** What the system said, by its name. */
export class CaptureError extends Error {
	override readonly name = "CaptureError";

	/**
	 * @param code ALSA's (errno's) name: `EBUSY`.
	 * @param call the library's function that failed.
	 */
	constructor(
		readonly code: string,
		readonly call: string,
		message: string,
	) {
		super(message);
	}
}
