/**
 * Keeps one device recording: opens it, reads it, brings it back after overruns and suspensions, and tries again with growing pauses where it is
 * gone or can't be had. What it records goes on; what goes wrong is told.
 */
import {
	type CaptureDevice,
	CaptureError,
	type CaptureWish,
	type OpenCapture,
} from "../capture-port.js";
import { ClockDrift } from "./drift.js";
import { Pacer } from "./pacer.js";

export interface LoopClock {
	/** Never runs backwards. */
	nowMs(): number;
	sleep(ms: number): Promise<void>;
}

export interface LoopListener {
	onOpened(device: CaptureDevice): void | Promise<void>;
	/** @param bytes valid until it returns. */
	onFrames(bytes: Uint8Array): void;
	/** It is tried again after the pause. */
	onTrouble(error: CaptureError, retryMs: number): void;
}

const firstPauseMs = 250;
const pauseMsMax = 10_000;
/** A device that recorded for so long was all right: the next trouble is a new one. */
const calmMs = 5000;
/** A device that overruns again and again without giving anything in between is opened anew. */
const barrenMax = 10;

export class CaptureLoop {
	readonly #open: OpenCapture;
	readonly #wish: CaptureWish;
	readonly #listener: LoopListener;
	readonly #clock: LoopClock;
	readonly #pacer: Pacer;
	readonly #drift = new ClockDrift();
	#device: CaptureDevice | undefined;
	#framesSeen = 0;
	#xruns = 0;
	#suspends = 0;
	#pauseMs = firstPauseMs;
	#stopped = false;

	/** @param paceMax see `CaptureSettings`. */
	constructor(
		open: OpenCapture,
		wish: CaptureWish,
		paceMax: number,
		listener: LoopListener,
		clock: LoopClock,
	) {
		this.#open = open;
		this.#wish = wish;
		this.#listener = listener;
		this.#clock = clock;
		this.#pacer = new Pacer(paceMax);
	}

	get xruns(): number {
		return this.#xruns;
	}

	get suspends(): number {
		return this.#suspends;
	}

	get driftPpm(): number | undefined {
		return this.#drift.ppm;
	}

	/** Until `stop`; never rejects for what a device does. */
	async run(): Promise<void> {
		while (!this.#stopped) {
			const startMs = this.#clock.nowMs();
			try {
				const device = await this.#open(this.#wish);
				this.#device = device;
				await this.#record(device);
			} catch (error) {
				if (!(error instanceof CaptureError)) throw error;
				if (this.#stopped) break;
				if (this.#clock.nowMs() - startMs > calmMs)
					this.#pauseMs = firstPauseMs;
				this.#listener.onTrouble(error, this.#pauseMs);
				await this.#closeDevice();
				await this.#clock.sleep(this.#pauseMs);
				this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
			}
		}
		await this.#closeDevice();
	}

	stop(): void {
		this.#stopped = true;
	}

	async #record(device: CaptureDevice): Promise<void> {
		this.#drift.reset();
		this.#framesSeen = 0;
		await this.#listener.onOpened(device);
		const frameBytes = frameBytesOf(device);
		let barren = 0;
		while (!this.#stopped) {
			try {
				const bytes = await device.read();
				if (this.#stopped) return;
				const frames = bytes.length / frameBytes;
				if (frames > 0) {
					barren = 0;
					this.#note(frames, device.rateHz);
					this.#listener.onFrames(bytes);
				}
				const holdMs = this.#pacer.holdMs(
					(Math.max(frames, 1) * 1000) / device.rateHz,
					this.#clock.nowMs(),
				);
				if (holdMs > 0) await this.#clock.sleep(holdMs);
			} catch (error) {
				if (!(error instanceof CaptureError) || ++barren > barrenMax)
					throw error;
				await this.#recover(device, error);
			}
		}
	}

	async #recover(device: CaptureDevice, error: CaptureError): Promise<void> {
		if (error.code === "EPIPE") this.#xruns++;
		else if (error.code === "ESTRPIPE") this.#suspends++;
		else if (error.code !== "EINTR" && error.code !== "EAGAIN") throw error;
		this.#drift.reset();
		this.#framesSeen = 0;
		if (error.code === "EPIPE" || error.code === "ESTRPIPE")
			await device.recover(error);
	}

	#note(frames: number, rateHz: number): void {
		this.#framesSeen += frames;
		const audioMs = (this.#framesSeen * 1000) / rateHz;
		this.#drift.note(audioMs, this.#clock.nowMs());
	}

	async #closeDevice(): Promise<void> {
		await this.#device?.close();
		this.#device = undefined;
	}
}

export function frameBytesOf({
	format,
	channels,
}: Pick<CaptureDevice, "format" | "channels">): number {
	const bytes = { S16_LE: 2, S24_3LE: 3, S24_LE: 4, S32_LE: 4, FLOAT_LE: 4 };
	return bytes[format] * channels;
}
