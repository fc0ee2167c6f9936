/**
 * The capture port: the interface between the capture process and a recording device. `drivers/alsa` implements it; tests may fake it.
 */

import type { SampleFormat } from "../audio/array/channels.js";
import type { StreamAccess } from "./stream-address.js";

export {
	type SampleFormat,
	sampleFormats,
} from "../audio/array/channels.js";

export interface CaptureRequest {
	/** Any ALSA name (`hw:1,0`, `plughw:CARD=ArrayUAC10`, `default`), or the address of a stream. */
	readonly device: string;
	/** 1 to 16. */
	readonly channels: number;
	/** The nearest rate that the card supports is used. */
	readonly rateHz: number;
	/** Undefined: the first of `sampleFormats` that the card supports. */
	readonly format: SampleFormat | undefined;
	/** Size of one read, and of the card's buffer. */
	readonly periodMs: number;
	readonly bufferMs: number;
	/** Of a stream. */
	readonly stream?: StreamAccess;
}

export interface CaptureDevice {
	readonly format: SampleFormat;
	readonly channels: number;
	readonly rateHz: number;
	readonly periodFrames: number;
	/** Interleaved frames, at most a period of them; valid until the next read. One call at a time. @throws CaptureError */
	read(): Promise<Uint8Array>;
	/** After an overrun (EPIPE) or a suspension (ESTRPIPE): unread audio is lost, recording continues. @throws CaptureError */
	recover(error: CaptureError): Promise<void>;
	/** Idempotent. */
	close(): Promise<void>;
}

/** @throws CaptureError */
export type OpenCapture = (request: CaptureRequest) => Promise<CaptureDevice>;

/** An error of the system, with its name. */
export class CaptureError extends Error {
	override readonly name = "CaptureError";

	/**
	 * @param code ALSA's (errno's) name: `EBUSY`.
	 * @param call the library function that failed.
	 */
	constructor(
		readonly code: string,
		readonly call: string,
		message: string,
	) {
		super(message);
	}
}
