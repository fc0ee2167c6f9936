/** One case tried, from its seed or from a tape of draws. */
import type { Outcome, Property } from "./property.js";
import { type Random, randomOf } from "./random.js";

export interface Failure {
	/** All that was drawn. */
	readonly tape: readonly number[];
	/** Nothing where drawing it failed. */
	readonly one?: unknown;
	readonly error: unknown;
}

export interface Trial {
	readonly outcome?: Outcome;
	readonly failure?: Failure;
}

export function trySeed(property: Property, seed: number): Promise<Trial> {
	return tryCase(property, randomOf(seed));
}

/** Draws behind the tape's end: simple ones. Not only zeros, of which a drawing that goes on until luck ends it would never have enough. */
const zerosMax = 1000;

export function tryTape(
	property: Property,
	tape: readonly number[],
): Promise<Trial> {
	let at = 0;
	const behind = randomOf(0);
	return tryCase(property, () => {
		const drawn = tape[at++];
		return drawn ?? (at > tape.length + zerosMax ? behind() : 0);
	});
}

async function tryCase(property: Property, random: Random): Promise<Trial> {
	const tape: number[] = [];
	let one: unknown;
	try {
		one = property.draw(() => {
			const drawn = random();
			tape.push(drawn);
			return drawn;
		});
		return { outcome: await property.check(one) };
	} catch (error) {
		return { failure: { tape, one, error } };
	}
}
