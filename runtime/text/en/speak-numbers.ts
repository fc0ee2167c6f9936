/**
 * English numbers in words, as spoken: 2026 is "twenty twenty six", $23.50 "twenty three dollars and fifty cents". No hyphens, as speech has none. Numbers
 * spelled with letters keep their digits (A4, 5G, COVID-19), unless the letters are a unit.
 */
import type { Edit, TextRule } from "../edits.js";
import { isLeadingPoint } from "../number-signs.js";
import {
	verbalizeDigits,
	verbalizeNumber,
	verbalizeOrdinal,
} from "./number-words.js";
import {
	isCurrency,
	speakDecimals,
	speakMoney,
	speakPlain,
	unitAt,
} from "./speak-amounts.js";
import {
	speakDate,
	speakDecade,
	speakTime,
	verbalizeDay,
} from "./speak-dates.js";
import { isDigit, type SpokenForm, speakForm } from "./spoken-form.js";

const telephone = /(?:(\d)-)?(\d{3})-(?:(\d{3})-)?(\d{4})(?![\d-])/y;
/** The rest of (415) 555-0132 after the opening parenthesis. */
const areaCode = /(\d{3})\) ?(\d{3})-(\d{4})(?![\d-])/y;
/** 9-1-1, 123-45-6789. */
const groups = /\d{1,12}(?:-\d{1,12}){2,15}(?![\d-])/y;
/** Belongs to the last number alone: 5-6-7 p.m., 3-4-5th, 1-2-3.5. */
const moreOfLast = /^(?:[.,:/]\d|[\p{L}\p{M}_]| ?[ap]\.?m(?![A-Za-z]))/iu;
const ordinal = /(\d{1,12})(?:st|nd|rd|th)(?![A-Za-z])/iy;
const fraction = /(\d{1,3})\/(\d{1,3})(?![\d/])/y;
const version = /\d{1,4}(?:\.\d{1,4}){2,8}(?!\.?\d)/y;

export const speakNumbers: TextRule = (text) => {
	const edits: Edit[] = [];
	let i = 0;
	while (i < text.length) {
		if (!isDigit(text[i])) {
			i++;
			continue;
		}
		const continues = edits.at(-1)?.to === i; // the second time of 10am-5pm
		const spoken =
			!continues && isSpelled(text, i) ? undefined : speakAt(text, i);
		if (!spoken) {
			while (/[0-9A-Za-z.,:/]/.test(text[i] ?? "")) i++;
			continue;
		}
		const sign = signBefore(text, i, edits.at(-1)?.to ?? 0);
		edits.push({
			from: i - sign.length,
			to: spoken.to,
			text: sign.spoken + spaced(text, spoken),
		});
		i = spoken.to;
	}
	return edits;
};

/** Digits after a letter, possibly after a hyphen, are part of a name. */
function isSpelled(text: string, at: number): boolean {
	const before = text[at - 1] ?? "";
	if (/[\p{L}\p{M}_#@]/u.test(before)) return true;
	return /[-.'’]/.test(before) && /[A-Za-z]/.test(text[at - 2] ?? "");
}

/** Adds a space before a letter that follows directly. */
function spaced(text: string, { to, text: spoken }: SpokenForm): string {
	return /[\p{L}\d]/u.test(text[to] ?? "") ? `${spoken} ` : spoken;
}

function signBefore(text: string, at: number, notBefore: number) {
	if (at <= notBefore) return { length: 0, spoken: "" };
	const point = isLeadingPoint(text, at) ? 1 : 0;
	const first = at - point;
	const before = text[first - 1] ?? "";
	if (isCurrency(before)) {
		const minus =
			/^[-−]$/.test(text[first - 2] ?? "") && first - 2 >= notBefore;
		return minus && !/[\dA-Za-z]/.test(text[first - 3] ?? "")
			? { length: point + 2, spoken: "minus " }
			: { length: point + 1, spoken: "" };
	}
	if (before === "(" && speakArea(text, at)) return { length: 1, spoken: "" };
	const spoken = point === 1 ? "point " : "";
	const isMinus =
		/^[-−]$/.test(before) &&
		first > notBefore &&
		!/[\dA-Za-z-]/.test(text[first - 2] ?? "");
	return isMinus
		? { length: point + 1, spoken: `minus ${spoken}` }
		: { length: point, spoken };
}

function speakAt(text: string, from: number): SpokenForm | undefined {
	const isPoint = isLeadingPoint(text, from);
	const currency = text[isPoint ? from - 2 : from - 1] ?? "";
	if (isCurrency(currency)) return speakMoney(text, from, currency, isPoint);
	if (isPoint) return speakDecimals(text, from);
	return (
		speakPhrase(text, from) ??
		speakArea(text, from) ??
		speakTelephone(text, from) ??
		speakDate(text, from) ??
		speakTime(text, from) ??
		speakForm(text, from, ordinal, ([, digits = ""]) =>
			verbalizeOrdinal(digits),
		) ??
		speakDecade(text, from) ??
		speakGroups(text, from) ??
		speakForm(text, from, fraction, ([, over = "", under = ""]) =>
			isMixed(text, from, Number(over), Number(under))
				? `and ${verbalizeFraction(over, under, true) ?? ""}`
				: verbalizeFraction(over, under, isPartOf(text, from)),
		) ??
		speakForm(text, from, version, ([all]) =>
			(all ?? "").split(".").map(verbalizeNumber).join(" point "),
		) ??
		speakPlain(text, from)
	);
}

function speakGroups(text: string, from: number): SpokenForm | undefined {
	const spoken = speakForm(text, from, groups, ([all = ""]) =>
		all.split("-").map(verbalizeGroup).join(" "),
	);
	if (!spoken || unitAt(text, spoken.to, false)) return undefined;
	return moreOfLast.test(text.slice(spoken.to, spoken.to + 6))
		? undefined
		: spoken;
}

function verbalizeGroup(digits: string): string {
	return /^[1-9]\d$/.test(digits)
		? verbalizeNumber(digits)
		: verbalizeDigits(digits);
}

function speakPhrase(text: string, from: number): SpokenForm | undefined {
	if (!text.startsWith("24/7", from) || /[\d/]/.test(text[from + 4] ?? ""))
		return undefined;
	return { to: from + 4, text: "twenty four seven" };
}

function speakArea(text: string, from: number): SpokenForm | undefined {
	if (text[from - 1] !== "(") return undefined;
	return speakForm(text, from, areaCode, ([, ...groups]) =>
		groups.map((it) => verbalizeDigits(it ?? "")).join(" "),
	);
}

function speakTelephone(text: string, from: number): SpokenForm | undefined {
	return speakForm(text, from, telephone, ([, ...groups]) =>
		groups
			.filter((it) => it !== undefined)
			.map(verbalizeDigits)
			.join(" "),
	);
}

/** The 5/8 of 5 5/8. */
function isMixed(
	text: string,
	from: number,
	over: number,
	under: number,
): boolean {
	const before = text.slice(Math.max(0, from - 5), from);
	return (
		over > 0 &&
		over < under &&
		under <= 16 &&
		/(?:^|[^\d/.,:])\d{1,3} $/.test(before)
	);
}

/** 11/16 inch is not a day in November. */
function isPartOf(text: string, from: number): boolean {
	return /^\d+\/\d+ (?:of|inch|cup|mile|teaspoon|tablespoon)/.test(
		text.slice(from, from + 20),
	);
}

/** @param isPart it can't be a date. */
function verbalizeFraction(
	over: string,
	under: string,
	isPart: boolean,
): string | undefined {
	const count = Number(over);
	const size = Number(under);
	if (count === 0 || size < 2) return undefined;
	// 12/25 is Christmas, 50/50 is not a fraction
	if (!isPart && size > 10 && count <= 12 && size <= 31)
		return verbalizeDay(count, under);
	if (count === size)
		return `${verbalizeNumber(over)} ${verbalizeNumber(under)}`;
	if (size === 2)
		return `${verbalizeNumber(over)} ${count === 1 ? "half" : "halves"}`;
	const part = size === 4 ? "quarter" : verbalizeOrdinal(under);
	return `${verbalizeNumber(over)} ${part}${count === 1 ? "" : "s"}`;
}
