/**
 * Japanese numerals: 二千二十六 and 二〇二六 to digits, digits to their reading. Japanese counts in ten thousands, and 万, 億 and 兆 are kept as
 * characters between digits (3万5000), so a number is written in groups of four.
 */

const digits = "〇一二三四五六七八九";
const digitValue = new Map([...digits].map((it, value) => [it, value]));
digitValue.set("零", 0);
const placeValue = new Map([
	["十", 10],
	["百", 100],
	["千", 1000],
]);
/** Of groups of four digits, from the last one on. */
export const groupNames = ["", "万", "億", "兆"];
const zeroWord = "ゼロ";

/** A maximal run of numerals. */
export interface Numeral {
	readonly from: number;
	readonly to: number;
	/**
	 * One digit (三); adjacent digits (二〇二六); with place values (二千二十六, also a lone 十, 百 or 千); or not a number: 二十三四, 〇〇, 万,
	 * and two digits in a row that mean "about" (二三日 is two or three days).
	 */
	readonly shape: "digit" | "digits" | "placed" | "broken";
	/** In digits; empty when broken. */
	readonly written: string;
}

/** One character. */
export const kanji = /^[\p{Script=Han}々〆]$/u;

/** Whether it is one of 〇一二三四五六七八九零十百千万億兆. */
export function isNumeral(character: string | undefined): boolean {
	return (
		character !== undefined &&
		(digitValue.has(character) ||
			placeValue.has(character) ||
			(character !== "" && groupNames.includes(character)))
	);
}

export function isArabicDigit(character: string | undefined): boolean {
	return (
		character !== undefined &&
		((character >= "0" && character <= "9") ||
			(character >= "０" && character <= "９"))
	);
}

const katakana = /^[\u30a1-\u30fa\u30fc]$/;

export function isKatakana(character: string | undefined): boolean {
	return character !== undefined && katakana.test(character);
}

/** The run of numerals that begins at `from`, if one does. */
export function readNumeral(text: string, from: number): Numeral | undefined {
	let to = from;
	const found: string[] = []; // one numeral each
	for (;;) {
		const character = text[to];
		if (isNumeral(character)) {
			found.push(character as string);
			to++;
		} else if (zeroAt(text, to, from)) {
			found.push("〇");
			to += zeroWord.length;
		} else break;
	}
	if (found.length === 0) return undefined;
	return { from, to, ...parse(found) };
}

/** Digits one by one from `from`: 三四五 in 点三四五. */
export function readDigits(
	text: string,
	from: number,
): { to: number; written: string } {
	let to = from;
	let written = "";
	for (;;) {
		const value = digitValue.get(text[to] ?? "");
		if (value !== undefined) {
			written += value;
			to++;
		} else if (zeroAt(text, to, from)) {
			written += "0";
			to += zeroWord.length;
		} else return { to, written };
	}
}

/** ゼロ as a separate word, not the end of another. */
function zeroAt(text: string, at: number, runFrom: number): boolean {
	if (!text.startsWith(zeroWord, at)) return false;
	return at > runFrom || !isKatakana(text[at - 1]);
}

function parse(found: readonly string[]): Pick<Numeral, "shape" | "written"> {
	const broken = { shape: "broken", written: "" } as const;
	const values = found.map((it) => digitValue.get(it));
	if (values.every((it) => it !== undefined)) {
		if (isApproximate(values)) return broken;
		const written = values.join("");
		if (values.length > 1 && /^0+$/.test(written)) return broken;
		return { shape: values.length === 1 ? "digit" : "digits", written };
	}
	const written = writePlaced(found);
	return written === undefined ? broken : { shape: "placed", written };
}

/** 二三日, 四五人: two consecutive digits mean "about". */
function isApproximate(values: readonly number[]): boolean {
	const [first, second] = values;
	return (
		values.length === 2 &&
		first !== undefined &&
		first > 0 &&
		second === first + 1
	);
}

/** Groups of four by 万, 億, 兆. @returns undefined if the places don't descend. */
function writePlaced(found: readonly string[]): string | undefined {
	let written = "";
	let lastGroup = groupNames.length;
	let group = new Group();
	for (const character of found) {
		const name = groupNames.indexOf(character);
		if (name === -1) {
			if (!group.add(character)) return undefined;
			continue;
		}
		const value = group.close();
		if (name >= lastGroup || value === undefined || value === 0)
			return undefined;
		written += `${value}${character}`;
		lastGroup = name;
		group = new Group();
	}
	const rest = group.close();
	if (rest === undefined) return undefined;
	return rest > 0 ? written + rest : written || undefined;
}

/** Up to 九千九百九十九, or digits instead (二五万). */
class Group {
	#sum = 0;
	#lastPlace = 10000;
	#digits: number[] = [];

	/** @returns false if the character can't follow. */
	add(character: string): boolean {
		const digit = digitValue.get(character);
		if (digit !== undefined) {
			this.#digits.push(digit);
			return this.#digits.length === 1 || this.#lastPlace === 10000;
		}
		const place = placeValue.get(character);
		if (place === undefined || place >= this.#lastPlace) return false;
		if (this.#digits.length > 1 || this.#digits[0] === 0) return false;
		this.#sum += (this.#digits[0] ?? 1) * place;
		this.#digits = [];
		this.#lastPlace = place;
		return true;
	}

	/** @returns undefined if it is not a number. */
	close(): number | undefined {
		const last = this.#digits;
		if (isApproximate(last) || last.length > 4) return undefined;
		if (last[0] === 0) return undefined;
		return this.#sum + Number(last.join("") || "0");
	}
}

/** @param number digits without a sign, a point or commas. */
export function readAloud(number: string): string {
	const plain = number.replace(/^0+(?=\d)/, "");
	if (plain.length > 16 || (number.length > 1 && number[0] === "0"))
		return readDigitByDigit(number);
	if (plain === "0") return "零";
	let spoken = "";
	for (let group = groupNames.length - 1; group >= 0; group--) {
		const end = plain.length - group * 4;
		if (end <= 0) continue;
		const four = plain.slice(Math.max(0, end - 4), end);
		const words = readGroup(four, group > 0);
		if (words !== "") spoken += words + (groupNames[group] as string);
	}
	return spoken;
}

/** 03 as 〇三. */
export function readDigitByDigit(number: string): string {
	return [...number].map((it) => digits[Number(it)] as string).join("");
}

/** @param named 一千万, but 千. */
function readGroup(four: string, named: boolean): string {
	const places = ["千", "百", "十", ""].slice(-four.length);
	return [...four]
		.map((character, i) => {
			const value = Number(character);
			const place = places[i] as string;
			if (value === 0) return "";
			const silentOne =
				value === 1 && place !== "" && !(place === "千" && named);
			return (silentOne ? "" : digits[value]) + place;
		})
		.join("");
}
