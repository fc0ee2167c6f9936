/**
 * Chinese numbers that are written with a sign: percent, fractions, negative numbers, points between Latin letters and numbers.
 */
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
	const first = readAmount(text, at + 3);
	if (!first) {
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
	const edits = [{ from, to: first.to, text: `${sign}${first.digits}${mark}` }];
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

export function readNegative(text: string, at: number): Reading | undefined {
	const share = readShare(text, at, at + 1, "-");
	if (share) return share;
	const fraction = readFraction(text, at + 1);
	if (fraction) return negative(fraction, at);
	const number = readAmount(text, at + 1);
	if (!number) return undefined;
	// 负一楼 is a floor
	if (/^[层楼]/.test(text.slice(number.to))) return undefined;
	return {
		edits: [{ from: at, to: number.to, text: `-${number.digits}` }],
		to: number.to,
	};
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

function readChain(
	text: string,
	at: number,
	separator: string,
	sign: string,
	partsMin: number,
): Reading | undefined {
	const parts: Numeral[] = [];
	for (let from = at; ; ) {
		const part = readInteger(text, from);
		if (!part || !/^\d+$/.test(part.digits)) break;
		parts.push(part);
		if (text[part.to] !== separator) break;
		from = part.to + 1;
	}
	const last = parts.at(-1);
	if (!last || parts.length < partsMin) return undefined;
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
