/**
 * How much room V8 gives to the values of an object whose names are array indices ("0", "1023"). It keeps them apart from the others, as elements, with room for
 * half more than the highest index: `{"1023":0}` has room for 1552 elements, 12 KiB. Where they are few and far apart it keeps a hash table of them instead, which
 * takes no more than other names do.
 *
 * The rules are those of V8's ShouldConvertToSlowElements and ShouldConvertToFastElements. Where these also look at the age of the object, what they say of a
 * young one is taken, which has more; an old one may grow from a smaller store, to half more than is counted here.
 */

/** V8 takes a table where an element is this far behind the last one that there is room for. */
const gapMin = 1024;
/** Up to this there is no question how many of the elements are used. */
const uncheckedElementsMax = 5000;
const indicesMax = 2 ** 32 - 1;
const digitsMax = 10;
const zero = 0x30;
const nine = 0x39;

export class ElementStore {
	/** In elements, while it is no table. */
	#capacity = 0;
	/** Of all its capacities: what is given back counts as taken. */
	#capacityMax = 0;
	#used = 0;
	#indexMax = -1;
	#isTable = false;

	/** @param index of an element that it does not have. @returns by how many elements its largest capacity grows. */
	add(index: number): number {
		this.#used++;
		this.#indexMax = Math.max(this.#indexMax, index);
		if (!this.#isTable) {
			if (index < this.#capacity) return 0;
			const capacity = Math.floor(1.5 * (index + 1)) + 16;
			if (index - this.#capacity < gapMin && this.#isWorth(capacity))
				return this.#take(capacity);
			this.#isTable = true;
		}
		// at least half as large as all elements up to the highest
		if (this.#indexMax >= 2 * tableWords(this.#used)) return 0;
		this.#isTable = false;
		return this.#take(this.#indexMax + 1);
	}

	/** Less than three times as large as a table. */
	#isWorth(capacity: number): boolean {
		return (
			capacity <= uncheckedElementsMax || capacity < 3 * tableWords(this.#used)
		);
	}

	#take(capacity: number): number {
		const before = this.#capacityMax;
		this.#capacity = capacity;
		this.#capacityMax = Math.max(before, capacity);
		return this.#capacityMax - before;
	}
}

/** Of a hash table: three words for each entry, and at least a third of the entries are free. */
function tableWords(used: number): number {
	let entries = 4;
	while (entries < Math.floor(1.5 * used)) entries *= 2;
	return 3 * entries;
}

/** @returns undefined for any other name, as "01", "-1" and "4294967295" are. */
export function arrayIndexOf(name: string): number | undefined {
	const first = name.charCodeAt(0);
	if (!(first >= zero && first <= nine) || name.length > digitsMax)
		return undefined;
	const index = Number(name) >>> 0;
	return index < indicesMax && String(index) === name ? index : undefined;
}
