/**
 * Where a beam should listen to: the direction of the last second's sound, so that one cough does not turn it away from who speaks.
 */
import { directionCount, stepDeg } from "./direction-finder.js";
import { loudestDirection } from "./loudest-direction.js";

/** Of what was before, at each of about eight times in a second. */
const kept = 0.75;
/** Smaller turns are not heard. */
const turnDegMin = stepDeg / 2;

export class SteeredDirection {
	readonly #mean = new Float32Array(directionCount);
	#azimuthDeg: number | undefined;

	/** @param response [directionCount] @returns where to listen from now on; undefined: as before. */
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
