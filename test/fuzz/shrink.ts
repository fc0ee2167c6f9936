/**
 * Makes a failing case small by making its draws few and low, and drawing it again: the shrinker knows nothing of texts, bytes or options, and whatever is
 * drawn can be shrunk (as Hypothesis does it). fast-check, which was looked at, shrinks only what its own generators made.
 */
import type { Property } from "./property.js";
import { type Failure, tryTape } from "./trial.js";

/** Steps of halving between a draw that is too low to fail and one that does: places in lists of a thousand are told apart. */
const halvings = 10;

/** @param msMax the time it may take; the smallest case found until then is given. */
export async function shrink(
	property: Property,
	failure: Failure,
	msMax: number,
): Promise<Failure> {
	const shrinker = new Shrinker(property, failure, performance.now() + msMax);
	for (let before: Failure | undefined; before !== shrinker.least; ) {
		before = shrinker.least;
		await shrinker.inPieces((tape, from, to) =>
			tape.toSpliced(from, to - from),
		);
		await shrinker.inPieces((tape, from, to) =>
			tape.toSpliced(from, to - from, ...zeros(to - from)),
		);
		await shrinker.lowerEach();
	}
	return shrinker.least;
}

class Shrinker {
	least: Failure;
	readonly #property: Property;
	readonly #untilMs: number;

	constructor(property: Property, failure: Failure, untilMs: number) {
		this.#property = property;
		this.least = failure;
		this.#untilMs = untilMs;
	}

	/** Large pieces first, then smaller ones, from the front to the end. */
	async inPieces(
		without: (tape: readonly number[], from: number, to: number) => number[],
	): Promise<void> {
		for (let size = this.#length; size >= 1; size = Math.floor(size / 2))
			for (let from = 0; from < this.#length && !this.#isOver; ) {
				const to = Math.min(from + size, this.#length);
				const isLess = await this.#fails(without(this.least.tape, from, to));
				if (!isLess) from = to;
			}
	}

	async lowerEach(): Promise<void> {
		for (let at = 0; at < this.#length && !this.#isOver; at++) {
			let high = this.least.tape[at] as number;
			let low = 0;
			for (let i = 0; i < halvings && high > 0; i++) {
				const middle = (low + high) / 2;
				if (await this.#fails(this.least.tape.with(at, middle))) high = middle;
				else low = middle;
			}
		}
	}

	get #length(): number {
		return this.least.tape.length;
	}

	get #isOver(): boolean {
		return performance.now() > this.#untilMs;
	}

	/** Kept where it is less than the least one. */
	async #fails(tape: readonly number[]): Promise<boolean> {
		if (!isLess(tape, this.least.tape)) return false;
		const { failure } = await tryTape(this.#property, tape);
		if (!failure || !isLess(failure.tape, this.least.tape)) return false;
		this.least = failure;
		return true;
	}
}

/** Fewer draws, then lower ones, then the low ones at the end, where a shorter length leaves them out. */
function isLess(one: readonly number[], other: readonly number[]): boolean {
	if (one.length !== other.length) return one.length < other.length;
	const difference = sum(one) - sum(other);
	if (difference !== 0) return difference < 0;
	const at = one.findLastIndex((drawn, i) => drawn !== other[i]);
	return at >= 0 && (one[at] as number) < (other[at] as number);
}

const sum = (tape: readonly number[]) => tape.reduce((all, it) => all + it, 0);
const zeros = (count: number) => new Array<number>(count).fill(0);
