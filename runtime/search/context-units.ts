/**
 * How much of a hotword is said, in units: a Chinese character is one, two kana are one, four letters are one. About as much as one sound less or more
 * tells words apart.
 */
const unitsOfLetter = 1 / 4;
/** Of the three bytes of a Chinese character. */
const unitsOfByte = 1 / 3;
/** A kana begins as a Chinese character does: what its first byte earned too much is not earned by the others. */
const unitsOfKanaByte = 1 / 12;

/** What the bytes of an open character say of its script. */
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
