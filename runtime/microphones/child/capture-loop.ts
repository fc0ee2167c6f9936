/**
 * Keeps one device recording: opens it, reads it, recovers it after overruns and suspensions, and retries with growing pauses when it has
 * disappeared or can't be opened. Audio is passed on; errors are reported.
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
	 * @param lostMs audio before them that was recorded but not read.
	 * @returns a promise to await before the next read.
	 */
	onFrames(bytes: Uint8Array, lostMs: number): void | Promise<void>;
	/** The device is tried again after the pause. */
	onTrouble(error: CaptureError, retryMs: number): void;
}

const firstPauseMs = 250;
const pauseMsMax = 10_000;
/** After recording this long a device counts as healthy: the next error starts with the shortest pause. */
const stableMs = 5000;
/** A device that keeps failing without returning audio in between is reopened. */
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
	/** There was an overrun since then. */
	#lost = false;
	/** Start of the pending call to the device; undefined if there is none. */
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

	/** How long the pending open, read or recovery has not returned. */
	get stalledMs(): number {
		return this.#callStartMs === undefined
			? 0
			: this.#clock.nowMs() - this.#callStartMs;
	}

	/** Runs until `stop`; never rejects because of the device. */
	async run(): Promise<void> {
		while (!this.#stopped) {
			let openedMs = Number.POSITIVE_INFINITY;
			try {
				const device = await this.#timed(() => this.#open(this.#request));
				openedMs = this.#clock.nowMs();
				this.#device = device;
				await this.#record(device);
			} catch (error) {
				if (!(error instanceof CaptureError)) throw error;
				if (this.#stopped) break;
				if (this.#clock.nowMs() - openedMs > stableMs)
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
					if (taken) await taken; // without a promise, a real card is read again at once
				}
				const holdMs =
					frames === 0
						? this.#request.periodMs // the end of a file
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
		await this.#timed(() => device.recover(error));
	}

	/** @returns how much audio was lost before these frames. */
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

function frameBytesOf({
	format,
	channels,
}: Pick<CaptureDevice, "format" | "channels">): number {
	const bytes = { S16_LE: 2, S24_3LE: 3, S24_LE: 4, S32_LE: 4, FLOAT_LE: 4 };
	return bytes[format] * channels;
}
