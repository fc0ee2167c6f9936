/**
 * Whether two values are certainly the same data: what `t.same` and `t.strictSame` ask before tcompare, which makes an object for each number of an array and is
 * five hundred times as slow. INVARIANT: what is equal here is the same to tcompare, strictly; what is not, it decides, and shows.
 */

/** Deeper ones may contain themselves. */
const depthMax = 40;

/** @returns false as well where they are something else than numbers, texts, arrays and plain objects. */
export function areEqualData(one: unknown, other: unknown, depth = 0): boolean {
	if (one === other) return true;
	if (typeof one !== "object" || typeof other !== "object")
		return Number.isNaN(one) && Number.isNaN(other);
	if (one === null || other === null || depth > depthMax) return false;
	if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
	if (isNumberArray(one)) return areEqualNumbers(one, other as NumberArray);
	if (Array.isArray(one))
		return areEqualArrays(one, other as readonly unknown[], depth + 1);
	return isPlain(one) && isPlain(other) && areEqualPlain(one, other, depth + 1);
}

type NumberArray = ArrayLike<number | bigint>;

function isNumberArray(value: object): value is NumberArray {
	return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function areEqualNumbers(one: NumberArray, other: NumberArray): boolean {
	if (one.length !== other.length) return false;
	for (let i = 0; i < one.length; i++)
		if (one[i] !== other[i])
			if (!(Number.isNaN(one[i]) && Number.isNaN(other[i]))) return false;
	return true;
}

function areEqualArrays(
	one: readonly unknown[],
	other: readonly unknown[],
	depth: number,
): boolean {
	if (one.length !== other.length) return false;
	for (let i = 0; i < one.length; i++)
		if (!areEqualData(one[i], other[i], depth)) return false;
	return true;
}

type Plain = Readonly<Record<string, unknown>>;

/** A literal, or of JSON. */
function isPlain(value: object): value is Plain {
	const prototype = Object.getPrototypeOf(value);
	return (
		(prototype === Object.prototype || prototype === null) &&
		Object.getOwnPropertySymbols(value).length === 0
	);
}

function areEqualPlain(one: Plain, other: Plain, depth: number): boolean {
	const keys = Object.keys(one);
	if (keys.length !== Object.keys(other).length) return false;
	for (const key of keys)
		if (
			!Object.hasOwn(other, key) ||
			!areEqualData(one[key], other[key], depth)
		)
			return false;
	return true;
}
