/**
 * The capture process: binds the protocol to a device. Started by the main process as `earshot capture`; it exits when the main process
 * requests it or dies. Signals from the terminal or the service manager are left to the main process.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { OpenCapture } from "./capture-port.js";
import { type AudioFrontEnd, createFrontEnd } from "./child/audio-front-end.js";
import { CaptureLoop } from "./child/capture-loop.js";
import { SendQueue } from "./child/send-queue.js";
import {
	type CaptureSettings,
	type FromCapture,
	healthMs,
	periodMs,
	ringMs,
	stalledMsMax,
	type ToCapture,
} from "./protocol.js";

/** Time after a stop in which pending messages are still sent. */
const leaveMsMax = 2000;

/** Enough time for a message to be sent. */
const lastMessageMs = 100;

/** Records until the channel closes. */
export function runCapture(open: OpenCapture): void {
	if (!process.send)
		throw new Error("capture is started by `earshot serve`, not by hand");
	const capture = new CaptureChild(open);
	process.on("message", (message) => capture.onMessage(message as ToCapture));
	process.on("disconnect", () => capture.stop());
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
		process.on(signal, () => {});
}

class CaptureChild {
	readonly #open: OpenCapture;
	readonly #sendQueue = new SendQueue(
		(message, sent) => send(message, sent),
		Math.ceil(ringMs / periodMs),
	);
	#loop: CaptureLoop | undefined;
	#frontEnd: AudioFrontEnd | undefined;

	constructor(open: OpenCapture) {
		this.#open = open;
	}

	onMessage(message: ToCapture): void {
		switch (message.is) {
			case "start":
				this.#start(message.settings);
				return;
			case "stop":
				this.stop();
		}
	}

	stop(): void {
		setTimeout(endAtOnce, leaveMsMax).unref();
		if (this.#loop) this.#loop.stop();
		else process.exit(0);
	}

	#start(settings: CaptureSettings): void {
		const { device, channels, rateHz, format, paceMax, stream } = settings;
		const waits = paceMax === Number.POSITIVE_INFINITY;
		const request = {
			device,
			channels,
			rateHz,
			format,
			periodMs,
			...(stream && { stream }),
		};
		const loop = new CaptureLoop(
			this.#open,
			{ ...request, bufferMs: ringMs },
			paceMax,
			{
				onOpened: async (opened) => {
					this.#frontEnd?.close();
					this.#frontEnd = await createFrontEnd({
						...settings,
						format: opened.format,
						rateHz: opened.rateHz,
					});
					this.#sendQueue.push({
						is: "opened",
						format: opened.format,
						rateHz: opened.rateHz,
						channels: opened.channels,
						periodMs: (opened.periodFrames * 1000) / opened.rateHz,
					});
				},
				onFrames: (bytes, lostMs) => {
					const audio = this.#frontEnd?.accept(bytes);
					if (!audio) return undefined;
					const lostSamples = Math.round((lostMs * sampleRateHz) / 1000);
					this.#sendQueue.push({
						is: "audio",
						audio: { ...audio, ...(lostSamples > 0 && { lostSamples }) },
					});
					return waits ? this.#sendQueue.drained() : undefined;
				},
				onTrouble: ({ code, message }, retryMs) =>
					this.#sendQueue.push({ is: "trouble", code, message, retryMs }),
			},
			{
				nowMs: () => performance.now(),
				sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
			},
		);
		this.#loop = loop;
		setInterval(() => this.#sendHealth(loop), healthMs);
		void loop.run().then(() => process.exit(0));
	}

	/** Ends the process: a kernel call that does not return can't be aborted otherwise. */
	#giveUp(): void {
		this.#sendQueue.push({
			is: "trouble",
			code: "ETIMEDOUT",
			message: `the device returned neither audio nor an error for ${stalledMsMax / 1000} s`,
			retryMs: 0,
		});
		setTimeout(endAtOnce, lastMessageMs);
	}

	#sendHealth({ xruns, suspends, driftPpm, stalledMs }: CaptureLoop): void {
		if (stalledMs > stalledMsMax) this.#giveUp();
		this.#sendQueue.push({
			is: "health",
			health: {
				xruns,
				suspends,
				driftPpm,
				...(this.#frontEnd?.check.takeHealth() ?? noSound),
			},
		});
	}
}

const noSound = { dcOffset: 0, clippedShare: 0, zeroSeconds: 0 };

/** A read that never returns holds its thread, and a normal exit would wait for it. */
function endAtOnce(): void {
	process.kill(process.pid, "SIGKILL");
}

/** A closed channel is not an error: `disconnect` handles it. */
function send(message: FromCapture, sent: () => void): void {
	if (!process.connected) sent();
	else process.send?.(message, undefined, undefined, () => sent());
}
