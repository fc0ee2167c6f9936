/**
 * The direction of the largest response, with sub-step resolution: the peak of the parabola through the largest value and its neighbours.
 */
import { directionCount, stepDeg } from "./direction-finder.js";

export interface Direction {
	/** 0 to 360. */
	readonly azimuthDeg: number;
	/** The response there. */
	readonly response: number;
}

/** @param response [directionCount] @returns undefined if all directions have the same response. */
export function loudestDirection(
	response: Float32Array,
): Direction | undefined {
	let best = 0;
	let least = Number.POSITIVE_INFINITY;
	for (let at = 0; at < directionCount; at++) {
		if ((response[at] as number) > (response[best] as number)) best = at;
		least = Math.min(least, response[at] as number);
	}
	const peak = response[best] as number;
	if (!(peak > least)) return undefined;
	const before = response[
		(best + directionCount - 1) % directionCount
	] as number;
	const after = response[(best + 1) % directionCount] as number;
	const bend = before - 2 * peak + after;
	const shift = bend < 0 ? (before - after) / (2 * bend) : 0;
	const azimuthDeg = ((best + shift) * stepDeg + 360) % 360;
	return { azimuthDeg, response: peak };
}
