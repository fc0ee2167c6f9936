/** All entries of a list as the texts of an answer, none of them long: a list has up to megabytes, and so may one entry that was kept before entries had a limit. */

const partUnits = 16 * 1024;

/** JSON. @param about the list's other properties, before `words`. */
export function* listInJson(
	about: object,
	entries: Iterable<string>,
): Generator<string> {
	yield `${JSON.stringify(about).slice(0, -1)},"words":[`;
	let separator = "";
	for (const entry of entries) {
		yield `${separator}"`;
		for (const part of partsOf(entry)) yield JSON.stringify(part).slice(1, -1);
		yield '"';
		separator = ",";
	}
	yield "]}";
}

/** One line for each. */
export function* linesOf(
	header: string,
	entries: Iterable<string>,
): Generator<string> {
	yield `${header}\n`;
	for (const entry of entries) {
		yield* partsOf(entry);
		yield "\n";
	}
}

/** No part ends between the halves of a surrogate pair. */
function* partsOf(text: string): Generator<string> {
	for (let from = 0; from < text.length; ) {
		let to = Math.min(from + partUnits, text.length);
		if (isLowSurrogate(text.charCodeAt(to))) to++;
		yield text.slice(from, to);
		from = to;
	}
}

/** @param unit NaN beyond the end. */
function isLowSurrogate(unit: number): boolean {
	return unit >= 0xdc00 && unit <= 0xdfff;
}
