/**
 * Chinese numbers that are written with a sign: percent, fractions, negative numbers, points between Latin letters and numbers.
 */
import { isGuess } from "./digits-or-words.js";
import { isNumeral, type Numeral, readInteger } from "./numerals.js";
import { type Reading, readAmount, written } from "./reading.js";

/** 百分之三十五 is 35%, 千分之二 2‰; 百分之十到二十 10%到20%. */
export function readShare(
	text: string,
	from: number,
	at: number,
	sign: string,
): Reading | undefined {
	const of = text.slice(at, at + 3);
	if (of !== "百分之" && of !== "千分之") return undefined;
	const mark = of === "百分之" ? "%" : "‰";
	// 百分之负三
	const minus = sign === "" && text[at + 3] === "负" ? "-" : "";
	const first = readAmount(text, at + 3 + minus.length);
	// 百分之七八 is seven or eight
	if (!first || (!first.written && isGuess(text, first))) {
		const after = text.slice(at + 3);
		if (of === "百分之" && /^百(?![分千万亿])/.test(after))
			return { edits: [{ from, to: at + 4, text: `${sign}100%` }], to: at + 4 };
		return {
			edits: [],
			to:
				at +
				3 +
				(/^[零〇一幺二两三四五六七八九十百千万亿几\d]*/.exec(after)?.[0]
					.length ?? 0),
		};
	}
	const edits = [
		{ from, to: first.to, text: `${sign}${minus}${first.digits}${mark}` },
	];
	if (!/^[到至]/.test(text.slice(first.to, first.to + 1)))
		return { edits, to: first.to };
	const second = readAmount(text, first.to + 1);
	if (!second) return { edits, to: first.to };
	return {
		edits: [
			...edits,
			{ from: first.to + 1, to: second.to, text: `${second.digits}${mark}` },
		],
		to: second.to,
	};
}

/** 正负, 肩负, 欺负: 负 is the end of a word. */
const wordBefore = /[正胜背肩担欺辜抱自身重不]/;
/** 负一定责任, 负一部分: 一 is the beginning of a word. */
const beginsWithOne = /^(?:[定切部些点片半辈生世身]|个(?!百分点))/;

/** 负二十度 is -20度; 负 is a word in 肩负三项任务, 三负一平, 负一定责任. */
export function readNegative(text: string, at: number): Reading | undefined {
	if (wordBefore.test(text[at - 1] ?? "")) return undefined;
	const reading = readSigned(text, at);
	if (!reading) return undefined;
	const after = text.slice(reading.to, reading.to + 8);
	// 负一楼 is a floor, 负百分之七十的责任 a responsibility
	if (/^(?:[层楼]|(?:\/\d+)?[%‰]?的?[责赔])/.test(after)) return undefined;
	if (/^[平胜]/.test(after) && isNumeral(text[at - 1])) return undefined;
	const isOne = text[at + 1] === "一" && reading.to === at + 2;
	return isOne && beginsWithOne.test(after) ? undefined : reading;
}

function readSigned(text: string, at: number): Reading | undefined {
	const share = readShare(text, at, at + 1, "-");
	if (share) return share;
	const fraction = readFraction(text, at + 1);
	if (fraction) return negative(fraction, at);
	const number = readAmount(text, at + 1);
	return (
		number && {
			edits: [{ from: at, to: number.to, text: `-${number.digits}` }],
			to: number.to,
		}
	);
}

/** Puts the sign before the first number. */
function negative({ edits, to }: Reading, at: number): Reading {
	const [first, ...rest] = edits;
	return first
		? { edits: [{ ...first, from: at, text: `-${first.text}` }, ...rest], to }
		: { edits, to };
}

/** 一点二点三 is 1.2.3, 一九二点一六八点一点一 an IP address, 三杠二杠五零一 3-2-501. */
export function readDotted(text: string, at: number): Reading | undefined {
	return readChain(text, at, "点", ".", 3) ?? readChain(text, at, "杠", "-", 2);
}

/** Versions and addresses have up to four. */
const chainPartsMax = 8;

function readChain(
	text: string,
	at: number,
	separator: string,
	sign: string,
	partsMin: number,
): Reading | undefined {
	const parts: Numeral[] = [];
	for (let from = at; parts.length < chainPartsMax; ) {
		const part = readInteger(text, from);
		if (!part || !/^\d+$/.test(part.digits)) break;
		parts.push(part);
		if (text[part.to] !== separator) break;
		from = part.to + 1;
	}
	const last = parts.at(-1);
	if (!last || parts.length < partsMin) return undefined;
	if (text[last.to] === "点") return undefined; // 九点十点十一点: hours
	const digits = parts.map((it) => it.digits).join(sign);
	return { edits: [{ from: at, to: last.to, text: digits }], to: last.to };
}

/** H点二六四 is H.264. */
export function readSuffix(text: string, at: number): Reading | undefined {
	if (!/[A-Za-z]/.test(text[at - 1] ?? "")) return undefined;
	let digits = "";
	let to = at;
	while (text[to] === "点") {
		const number = readInteger(text, to + 1);
		if (number?.kind !== "digits" && number?.kind !== "single") break;
		digits += `.${number.digits}`;
		to = number.to;
	}
	return digits === ""
		? undefined
		: { edits: [{ from: at, to, text: digits }], to };
}

/** 几千分之一, 十几分之一: nothing is written in digits. */
export function readIndefinite(text: string, at: number): Reading | undefined {
	if (!/[十百千万亿]/.test(text[at] ?? "")) return undefined;
	const before = text.slice(Math.max(0, at - 2), at);
	const after = text.slice(at, at + 8);
	const found = /几$/.test(before)
		? /^[十百千万亿]+分之[一二三四五六七八九]?/.exec(after)
		: /(?:^|[^人次总岁分件个指倍基多票点户])数$/.test(before)
			? /^[百千万亿]+分之一/.exec(after)
			: /^[十百千万亿]几[百千万亿]*分之[一二三四五六七八九]?/.exec(after);
	return found ? { edits: [], to: at + found[0].length } : undefined;
}

/** 三分之二 is 2/3, 一又二分之一 1又1/2. */
export function readFraction(text: string, at: number): Reading | undefined {
	const first = readInteger(text, at);
	if (!first || first.kind === "unclear") return undefined;
	if (text[first.to] === "又") {
		const rest = isNumeral(text[first.to + 1])
			? readFraction(text, first.to + 1)
			: undefined;
		return rest && { edits: [written(first), ...rest.edits], to: rest.to };
	}
	if (!text.startsWith("分之", first.to)) return undefined;
	const share = readInteger(text, first.to + 2);
	const isFraction =
		share !== undefined &&
		/^\d+$/.test(share.digits) &&
		/^\d+$/.test(first.digits) &&
		first.value >= 2;
	if (!isFraction) return { edits: [], to: first.to + 2 };
	return {
		edits: [
			{ from: at, to: share.to, text: `${share.digits}/${first.digits}` },
		],
		to: share.to,
	};
}
