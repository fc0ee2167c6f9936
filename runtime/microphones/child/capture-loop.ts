/**
 * Keeps one device recording: opens it, reads it, brings it back after overruns and suspensions, and tries again with growing pauses where it is
 * gone or can't be had. What it records goes on; what goes wrong is told.
 */
import {
	type CaptureDevice,
	CaptureError,
	type CaptureRequest,
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
	/**
	 * @param bytes valid until it returns.
	 * @param lostMs of sound before them that the card recorded and nobody read.
	 * @returns what is waited for before more is read.
	 */
	onFrames(bytes: Uint8Array, lostMs: number): void | Promise<void>;
	/** It is tried again after the pause. */
	onTrouble(error: CaptureError, retryMs: number): void;
}

const firstPauseMs = 250;
const pauseMsMax = 10_000;
/** A device that recorded for so long was all right: the next trouble is a new one. */
const calmMs = 5000;
/** A device that overruns again and again without giving anything in between is opened anew. */
const failuresInARowMax = 10;

export class CaptureLoop {
	readonly #open: OpenCapture;
	readonly #request: CaptureRequest;
	readonly #listener: LoopListener;
	readonly #clock: LoopClock;
	readonly #pacer: Pacer;
	readonly #drift = new ClockDrift();
	#device: CaptureDevice | undefined;
	#framesSeen = 0;
	/** When the last read returned, or the device opened. */
	#readAtMs = 0;
	/** There was an overrun since. */
	#lost = false;
	/** Since when the device is waited for; undefined where it is not. */
	#callStartMs: number | undefined;
	#xruns = 0;
	#suspends = 0;
	#pauseMs = firstPauseMs;
	#stopped = false;

	/** @param paceMax see `CaptureSettings`. */
	constructor(
		open: OpenCapture,
		request: CaptureRequest,
		paceMax: number,
		listener: LoopListener,
		clock: LoopClock,
	) {
		this.#open = open;
		this.#request = request;
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

	/** For so long the device was asked to open or for sound, and gave no answer. */
	get stalledMs(): number {
		return this.#callStartMs === undefined
			? 0
			: this.#clock.nowMs() - this.#callStartMs;
	}

	/** Until `stop`; never rejects for what a device does. */
	async run(): Promise<void> {
		while (!this.#stopped) {
			const startMs = this.#clock.nowMs();
			try {
				const device = await this.#timed(() => this.#open(this.#request));
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
		this.#lost = false;
		await this.#listener.onOpened(device);
		this.#readAtMs = this.#clock.nowMs();
		const frameBytes = frameBytesOf(device);
		let failuresInARow = 0;
		while (!this.#stopped) {
			try {
				const bytes = await this.#timed(() => device.read());
				if (this.#stopped) return;
				const frames = bytes.length / frameBytes;
				if (frames > 0) {
					failuresInARow = 0;
					const lostMs = this.#note(frames, device.rateHz);
					const taken = this.#listener.onFrames(bytes, lostMs);
					if (taken) await taken; // a real card is not kept waiting for a promise
				}
				const holdMs =
					frames === 0
						? this.#request.periodMs // a file's end
						: this.#pacer.holdMs(
								(frames * 1000) / device.rateHz,
								this.#clock.nowMs(),
							);
				if (holdMs > 0) await this.#clock.sleep(holdMs);
			} catch (error) {
				if (
					!(error instanceof CaptureError) ||
					++failuresInARow > failuresInARowMax
				)
					throw error;
				await this.#recover(device, error);
			}
		}
	}

	async #timed<T>(call: () => Promise<T>): Promise<T> {
		this.#callStartMs = this.#clock.nowMs();
		try {
			return await call();
		} finally {
			this.#callStartMs = undefined;
		}
	}

	async #recover(device: CaptureDevice, error: CaptureError): Promise<void> {
		if (error.code === "EPIPE") this.#xruns++;
		else if (error.code === "ESTRPIPE") this.#suspends++;
		else if (error.code !== "EINTR" && error.code !== "EAGAIN") throw error;
		if (error.code === "EINTR" || error.code === "EAGAIN") return;
		this.#drift.reset();
		this.#framesSeen = 0;
		this.#lost = true;
		await device.recover(error);
	}

	/** @returns how much was lost before these frames. */
	#note(frames: number, rateHz: number): number {
		const nowMs = this.#clock.nowMs();
		const frameMs = 1000 / rateHz;
		this.#framesSeen += frames;
		this.#drift.note(this.#framesSeen * frameMs, nowMs);
		const sinceMs = nowMs - this.#readAtMs;
		const lostMs = this.#lost ? Math.max(0, sinceMs - frames * frameMs) : 0;
		this.#lost = false;
		this.#readAtMs = nowMs;
		return lostMs;
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
