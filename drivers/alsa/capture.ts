/**
 * One ALSA capture device: opened, read a period at a time into one buffer, recovered after an overrun. Blocking calls run in another
 * thread, so that the process stays responsive.
 */
import {
	type CaptureDevice,
	CaptureError,
	type CaptureRequest,
	type SampleFormat,
} from "../../runtime/microphones/capture-port.js";
import { type NegotiatedHardware, negotiateHardware } from "./hardware.js";
import * as lib from "./libasound.js";

const bytesPerSample: Readonly<Record<SampleFormat, number>> = {
	S16_LE: 2,
	S24_3LE: 3,
	S24_LE: 4,
	S32_LE: 4,
	FLOAT_LE: 4,
};

/** A suspended card resumes with the system; after this many tries it is prepared again. */
const resumeTries = 20;
const resumePauseMs = 50;

/** @throws CaptureError */
export async function openAlsa(
	request: CaptureRequest,
): Promise<CaptureDevice> {
	const slot = Buffer.alloc(8);
	// non-blocking: a device in use returns EBUSY immediately instead of waiting
	await lib.callInThread(
		"snd_pcm_open",
		lib.buffer(slot),
		lib.text(request.device),
		lib.int(lib.streamCapture),
		lib.int(lib.modeNonBlock),
	);
	const pcm = slot.readBigInt64LE();
	try {
		const negotiated = await negotiateHardware(pcm, request);
		lib.call("snd_pcm_nonblock", lib.pointer(pcm), lib.int(0));
		return new AlsaCapture(pcm, negotiated, request.channels);
	} catch (error) {
		lib.callUnchecked("snd_pcm_close", lib.pointer(pcm));
		throw error;
	}
}

class AlsaCapture implements CaptureDevice {
	readonly format: SampleFormat;
	readonly rateHz: number;
	readonly periodFrames: number;
	readonly #pcm: bigint;
	readonly #frameBytes: number;
	readonly #buffer: Buffer;
	/** The current call, which may be writing to the buffer. */
	#pending: Promise<unknown> = Promise.resolve();
	#closed = false;

	constructor(
		pcm: bigint,
		{ format, rateHz, periodFrames }: NegotiatedHardware,
		readonly channels: number,
	) {
		this.#pcm = pcm;
		this.format = format;
		this.rateHz = rateHz;
		this.periodFrames = periodFrames;
		this.#frameBytes = channels * bytesPerSample[format];
		this.#buffer = Buffer.alloc(periodFrames * this.#frameBytes);
	}

	async read(): Promise<Uint8Array> {
		if (this.#closed)
			throw new CaptureError("EBADFD", "read", "the device is closed");
		const reading = lib.transferInThread(
			"snd_pcm_readi",
			lib.pointer(this.#pcm),
			lib.buffer(this.#buffer),
			lib.frames(this.periodFrames),
		);
		this.#pending = reading.catch(() => {});
		const frames = await reading;
		return this.#buffer.subarray(0, frames * this.#frameBytes);
	}

	async recover({ code }: CaptureError): Promise<void> {
		const handle = lib.pointer(this.#pcm);
		if (code === "ESTRPIPE") await this.#resume();
		else await lib.callInThread("snd_pcm_prepare", handle);
	}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#pending;
		lib.callUnchecked("snd_pcm_close", lib.pointer(this.#pcm));
	}

	async #resume(): Promise<void> {
		const handle = lib.pointer(this.#pcm);
		for (let tries = 0; tries < resumeTries; tries++) {
			const result = lib.callUnchecked("snd_pcm_resume", handle);
			if (result === 0) return;
			if (result !== -11) break; // EAGAIN: still suspended
			await new Promise((wake) => setTimeout(wake, resumePauseMs));
		}
		await lib.callInThread("snd_pcm_prepare", handle);
	}
}
