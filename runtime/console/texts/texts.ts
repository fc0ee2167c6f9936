/** Messages in three languages, side by side: a key that one of them lacks does not compile. */
import { language, languageTags } from "./language.js";

type Message = string | ((...values: never[]) => string);
type Table = Readonly<Record<string, Message>>;

type Same<T extends Table> = {
	readonly [K in keyof T]: T[K] extends string ? string : T[K];
};

/** @returns a function that reads the table of the current language: a component that calls it is drawn again when the language changes. */
export function texts<T extends Table>(tables: {
	readonly en: T;
	readonly zh: Same<T>;
	readonly ja: Same<T>;
}): () => Same<T> {
	return () => tables[language.value] as Same<T>;
}

/** English: `one` for 1, else `many`. */
export function plural(count: number, one: string, many: string): string {
	return `${number(count)} ${count === 1 ? one : many}`;
}

export function number(value: number, digits = 0): string {
	return new Intl.NumberFormat(languageTags[language.value], {
		maximumFractionDigits: digits,
	}).format(value);
}

/** Names beside each other; `Intl` has no such list for Chinese. */
export function list(names: readonly string[]): string {
	return names.join(language.value === "en" ? ", " : "、");
}

/** @param seconds Unix time */
export function dateTime(seconds: number): string {
	return new Intl.DateTimeFormat(languageTags[language.value], {
		dateStyle: "medium",
		timeStyle: "short",
	}).format(seconds * 1000);
}

/** `1:02:03`, or `2:03` below an hour. */
export function clockTime(seconds: number, digits = 0): string {
	// as exactly as it is shown, before it is divided: 59.7 s are 1:00, not 0:60
	const whole = Number(Math.max(0, seconds).toFixed(digits));
	const hours = Math.floor(whole / 3600);
	const minutes = Math.floor((whole % 3600) / 60);
	const rest = (whole % 60)
		.toFixed(digits)
		.padStart(digits ? digits + 3 : 2, "0");
	const pad = (it: number) => String(it).padStart(2, "0");
	return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`;
}

export function bytes(count: number): string {
	const units = ["B", "kB", "MB", "GB", "TB"];
	let value = count;
	let unit = 0;
	while (value >= 1000 && unit < units.length - 1) {
		value /= 1000;
		unit++;
	}
	return `${number(value, value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** The device's own `2026-11-25 03:34:14`, as the language writes it; anything else as it is. */
export function localTime(text: string): string {
	const parts = /^(\d+)-(\d+)-(\d+) (\d+):(\d+):\d+$/.exec(text);
	if (!parts) return text;
	const [year, month, day, hour, minute] = parts.slice(1).map(Number);
	// the device's time of day, wherever the browser is: taken as its own
	const at = new Date(year ?? 0, (month ?? 1) - 1, day, hour, minute);
	return dateTime(at.getTime() / 1000);
}
