/** Load, memory and lag of the last hour, for whoever begins to look at the device only now. */
import { freemem, loadavg, totalmem } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { StatusSample } from "../api/device/status.js";

const usualEverySeconds = 30;
const usualKeptSeconds = 3600;
/** Each measurement wakes the processor. What holds the event loop delays one of them only where it ends after it was due: short holds may pass unseen, long ones don't. */
const lagResolutionMs = 1000;

export class StatusHistory {
	readonly #everySeconds: number;
	readonly #samplesMax: number;
	readonly #lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
	readonly #samples: StatusSample[] = [];
	#timer: NodeJS.Timeout | undefined;

	/** Both are shorter in tests. */
	constructor(
		everySeconds = usualEverySeconds,
		keptSeconds = usualKeptSeconds,
	) {
		this.#everySeconds = everySeconds;
		// by number, not by time: the clock may be set
		this.#samplesMax = Math.round(keptSeconds / everySeconds);
	}

	/** Oldest first. */
	get samples(): readonly StatusSample[] {
		return this.#samples;
	}

	start(): void {
		this.#lag.enable();
		this.#timer = setInterval(() => this.#take(), this.#everySeconds * 1000);
		this.#timer.unref();
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#lag.disable();
	}

	#take(): void {
		const { max } = this.#lag;
		const lateMs = Math.max(0, max / 1e6 - lagResolutionMs);
		this.#lag.reset();
		const at = Math.floor(Date.now() / 1000);
		const total = totalmem();
		this.#samples.push({
			at,
			load: loadavg()[0] ?? 0,
			memory_used: Math.round((1 - freemem() / total) * 1000) / 1000,
			lag_ms: Math.round(lateMs * 10) / 10,
		});
		if (this.#samples.length > this.#samplesMax) this.#samples.shift();
	}
}
