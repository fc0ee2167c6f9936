/**
 * The direction to which a beam is steered: that of the last second's sound, so that a cough does not turn it away from the speaker.
 */
import { directionCount, stepDeg } from "./direction-finder.js";
import { loudestDirection } from "./loudest-direction.js";

/** Weight of the previous mean in each of about eight updates per second. */
const kept = 0.75;
/** Smaller turns make no audible difference. */
const turnDegMin = stepDeg / 2;

export class SteeredDirection {
	readonly #mean = new Float32Array(directionCount);
	#azimuthDeg: number | undefined;

	/** @param response [directionCount] @returns the new azimuth; undefined: unchanged. */
	note(response: Float32Array): number | undefined {
		for (let at = 0; at < directionCount; at++)
			this.#mean[at] =
				kept * (this.#mean[at] as number) + (response[at] as number);
		const azimuthDeg = loudestDirection(this.#mean)?.azimuthDeg;
		if (azimuthDeg === undefined) return undefined;
		if (
			this.#azimuthDeg !== undefined &&
			Math.abs(((azimuthDeg - this.#azimuthDeg + 540) % 360) - 180) < turnDegMin
		)
			return undefined;
		this.#azimuthDeg = azimuthDeg;
		return azimuthDeg;
	}
}
