/** English numbers, money and measures as spoken: $23.50 is "twenty three dollars and fifty cents", 5km "five kilometers", 10-20 "ten to twenty". */
import {
	verbalizeDigits,
	verbalizeNumber,
	verbalizeYear,
} from "./number-words.js";
import { type SpokenForm, speakForm } from "./spoken-form.js";

const units: Readonly<Record<string, readonly [one: string, more: string]>> = {
	km: ["kilometer", "kilometers"],
	cm: ["centimeter", "centimeters"],
	mm: ["millimeter", "millimeters"],
	kg: ["kilogram", "kilograms"],
	g: ["gram", "grams"],
	mg: ["milligram", "milligrams"],
	ml: ["milliliter", "milliliters"],
	GB: ["gigabyte", "gigabytes"],
	MB: ["megabyte", "megabytes"],
	TB: ["terabyte", "terabytes"],
	kW: ["kilowatt", "kilowatts"],
	Hz: ["hertz", "hertz"],
	kHz: ["kilohertz", "kilohertz"],
	MHz: ["megahertz", "megahertz"],
	GHz: ["gigahertz", "gigahertz"],
	mph: ["mile per hour", "miles per hour"],
	"km/h": ["kilometer per hour", "kilometers per hour"],
};
const currencies: Readonly<
	Record<string, readonly [one: string, more: string]>
> = {
	$: ["dollar", "dollars"],
	"€": ["euro", "euros"],
	"£": ["pound", "pounds"],
	"¥": ["yen", "yen"],
};

const number = /(\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.(\d+))?/y;
/** The rest of $.75 and $2.75, not of $2.75 million. */
const cents =
	/^[\d,]*\.\d\d(?!\d| ?(?:[kmbt]|thousand)(?![a-z]))(?! ?[mbt]r?illion)/i;
const decimalsOnly = /()(\d+)/y;
const scale = / (thousand|million|billion|trillion)(?![A-Za-z])/iy;
/** $5k, £1m, $1.5bn. */
const shortScale = /(k|mn?|bn?|tn)(?![A-Za-z\d])/iy;
const shortScales: Readonly<Record<string, string>> = {
	k: "thousand",
	m: "million",
	b: "billion",
	t: "trillion",
};

/** A sign before an amount. */
export function isCurrency(character: string): boolean {
	return Object.hasOwn(currencies, character);
}

/** $23.50, $3 million, $2.5m. @param from the first digit. @param afterPoint it is that of $.50. */
export function speakMoney(
	text: string,
	from: number,
	sign: string,
	afterPoint: boolean,
): SpokenForm | undefined {
	const amountOf = afterPoint ? decimalsOnly : number;
	amountOf.lastIndex = from;
	const found = amountOf.exec(text);
	if (!found) return undefined;
	const [, digits = "", decimals] = found;
	const whole = digits.replaceAll(",", "") || "0";
	const end = from + found[0].length;
	const size = scaleAt(text, end);
	const to = size?.to ?? end;
	const decimal = verbalizeDecimal(whole, decimals);
	const amount = size ? `${decimal} ${size.text}` : decimal;
	const spoken = size
		? `${amount} ${(currencies[sign] as readonly string[])[1]}`
		: verbalizeMoney(whole, decimals, sign);
	if (!/^[-–]$/.test(text[to] ?? "") || text[to + 1] !== sign)
		return { to, text: spoken };
	// five to ten dollars; but fifty cents to one dollar
	const hasCents =
		(!size && decimals?.length === 2) ||
		cents.test(text.slice(to + 2, to + 20));
	return { to: to + 1, text: `${hasCents ? spoken : amount} to ` };
}

function verbalizeMoney(
	whole: string,
	decimals: string | undefined,
	sign: string,
): string {
	const [one, more] = currencies[sign] as readonly [string, string];
	const units = `${verbalizeNumber(whole)} ${Number(whole) === 1 ? one : more}`;
	if (decimals === undefined) return units;
	if (decimals.length !== 2 || sign === "¥")
		return `${verbalizeDecimal(whole, decimals)} ${more}`;
	const count = Number(decimals);
	if (count === 0) return units;
	const coin = sign === "£" ? "pence" : count === 1 ? "cent" : "cents";
	const small = `${verbalizeNumber(String(count))} ${coin}`;
	return Number(whole) === 0 ? small : `${units} and ${small}`;
}

function scaleAt(text: string, at: number): SpokenForm | undefined {
	return (
		speakForm(text, at, scale, ([, name = ""]) => name.toLowerCase()) ??
		speakForm(
			text,
			at,
			shortScale,
			([letters = ""]) => shortScales[(letters[0] as string).toLowerCase()],
		)
	);
}

/** The digits of .5 and .22, with their unit. */
export function speakDecimals(
	text: string,
	from: number,
): SpokenForm | undefined {
	const digits = /^\d+/.exec(text.slice(from))?.[0] ?? "";
	const to = from + digits.length;
	const unit = unitAt(text, to, false);
	if (!unit && /[\p{L}\p{M}_]/u.test(text[to] ?? "")) return undefined;
	const spoken = verbalizeDigits(digits);
	return unit
		? { to: unit.to, text: `${spoken} ${unit.text}` }
		: { to, text: spoken };
}

/** A number with its unit; a year where it can be one; the hyphen of a range or a score. */
export function speakPlain(text: string, from: number): SpokenForm | undefined {
	number.lastIndex = from;
	const found = number.exec(text);
	if (!found) return undefined;
	const [all, digits = "", decimals] = found;
	let to = from + all.length;
	const unit = unitAt(
		text,
		to,
		Number(digits.replaceAll(",", "")) === 1 && decimals === undefined,
	);
	if (!unit && /[\p{L}\p{M}_]/u.test(text[to] ?? "")) return undefined;
	let spoken =
		decimals === undefined && isReadByDigits(text, from, digits)
			? verbalizeDigits(digits)
			: decimals === undefined && /^(?:1[1-9]|20)\d\d$/.test(digits) && !unit
				? verbalizeYear(digits)
				: verbalizeDecimal(digits.replaceAll(",", ""), decimals);
	if (unit) {
		spoken += ` ${unit.text}`;
		to = unit.to;
	}
	if (leadsUp(text, from, to)) return { to: to + 1, text: `${spoken} to` };
	if (/^[-–]\d$/.test(text.slice(to, to + 2)))
		return { to: to + 1, text: spoken };
	return { to, text: spoken };
}

/** Zip code 94105, call 911. */
function isReadByDigits(text: string, from: number, digits: string): boolean {
	if (digits.length < 3 || digits.includes(",")) return false;
	const before = text.slice(Math.max(0, from - 16), from);
	return (
		/\b(?:zip|zip code|area code|pin|passcode|extension)(?: is)? $/i.test(
			before,
		) ||
		(/^[2-9]11$/.test(digits) && /\b(?:call|dial|text) $/i.test(before))
	);
}

/** 10-20, not the score 3-2. */
function leadsUp(text: string, from: number, to: number): boolean {
	if (!/^[-–]$/.test(text[to] ?? "")) return false;
	number.lastIndex = to + 1;
	const next = number.exec(text);
	return next !== null && valueIn(next[0]) > valueIn(text.slice(from, to));
}

function valueIn(digits: string): number {
	return Number.parseFloat(digits.replaceAll(",", ""));
}

function verbalizeDecimal(whole: string, decimals: string | undefined): string {
	const spoken = verbalizeNumber(whole);
	return decimals === undefined
		? spoken
		: `${spoken} point ${verbalizeDigits(decimals)}`;
}

/** %, °, °C and letters, possibly after a space. */
export function unitAt(
	text: string,
	at: number,
	one: boolean,
): SpokenForm | undefined {
	if (text[at] === "%") return { to: at + 1, text: "percent" };
	const degrees = /^ ?°([CF])?(?![A-Za-z])/.exec(text.slice(at, at + 4));
	if (degrees) {
		const scaleName =
			{ C: " celsius", F: " fahrenheit" }[degrees[1] ?? ""] ?? "";
		const name = one ? "degree" : "degrees";
		return { to: at + degrees[0].length, text: name + scaleName };
	}
	if (text[at] === "¢") return { to: at + 1, text: one ? "cent" : "cents" };
	const letters = /^ ?(km\/h|[A-Za-z]{1,4})(?![-_.]?[A-Za-z\d])/.exec(
		text.slice(at, at + 8),
	);
	const unit = letters?.[1] ?? "";
	if (!letters || !Object.hasOwn(units, unit)) return undefined;
	if (letters[0].startsWith(" ") && unit === "g") return undefined;
	return {
		to: at + letters[0].length,
		text: (units[unit] as readonly [string, string])[one ? 0 : 1],
	};
}
