/**
 * The length of a matched part of a hotword, in units: a Chinese character is one, two kana are one, four letters are one. A unit is about the amount of
 * sound that distinguishes words.
 */
const unitsOfLetter = 1 / 4;
/** Per byte of a Chinese character, which has three. */
const unitsOfByte = 1 / 3;
/** For the second and third byte of a kana: its first byte looks like a Chinese character's and already earned 1/3. */
const unitsOfKanaByte = 1 / 12;

/** Script of an incomplete character, as far as its bytes determine it. */
const scripts = { any: 0, kanaPerhaps: 1, kana: 2 };

export interface Units {
	readonly units: number;
	readonly script: number;
}

export function unitsAfter(
	units: number,
	script: number,
	symbol: number,
): Units {
	if (symbol > 0xff) return { units, script: scripts.any }; // where a word begins or ends
	if (symbol < 0x80)
		return { units: units + unitsOfLetter, script: scripts.any };
	// U+3040 to U+30FF: E3 81 to E3 83
	const isKana =
		script === scripts.kana ||
		(script === scripts.kanaPerhaps && symbol >= 0x81 && symbol <= 0x83);
	const next = symbol === 0xe3 ? scripts.kanaPerhaps : scripts.any;
	return isKana && symbol < 0xc0
		? {
				units: units + unitsOfKanaByte,
				script: script === scripts.kana ? scripts.any : scripts.kana,
			}
		: { units: units + unitsOfByte, script: next };
}

export function unitsOfSymbols(symbols: readonly number[]): number {
	let at: Units = { units: 0, script: scripts.any };
	for (const symbol of symbols) at = unitsAfter(at.units, at.script, symbol);
	return at.units;
}
