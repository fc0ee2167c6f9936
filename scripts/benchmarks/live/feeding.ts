/**
 * A person speaking: samples that become available as time passes, in packets, each when its last sample has been spoken.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sampleRateHz } from "../wav.js";

/** What sound cards and browsers give at a time; a larger packet only waits longer. */
const packetMs = 40;

export class Speaker {
	#startedMs = performance.now();

	/** Since the first sample began to be spoken. */
	get nowMs(): number {
		return performance.now() - this.#startedMs;
	}

	/**
	 * @param send returns false when nobody listens any more.
	 * @returns when the last sample has been spoken, or nobody listens.
	 */
	async speak(
		samples: Int16Array,
		send: (packet: Uint8Array) => Promise<boolean>,
	): Promise<void> {
		this.#startedMs = performance.now();
		const packetSamples = (packetMs * sampleRateHz) / 1000;
		for (let at = 0; at < samples.length; at += packetSamples) {
			const packet = samples.subarray(at, at + packetSamples);
			const spokenMs = ((at + packet.length) * 1000) / sampleRateHz;
			const earlyMs = spokenMs - this.nowMs;
			if (earlyMs > 0) await pause(earlyMs);
			const bytes = new Uint8Array(
				packet.buffer,
				packet.byteOffset,
				packet.byteLength,
			);
			if (!(await send(bytes))) return;
		}
	}
}

export function withSilenceAfter(
	samples: Int16Array,
	seconds: number,
): Int16Array {
	const longer = new Int16Array(
		samples.length + Math.round(seconds * sampleRateHz),
	);
	longer.set(samples);
	return longer;
}
