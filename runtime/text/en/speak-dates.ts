/** English dates and times as spoken: 2026-03-05 is "March fifth twenty twenty six", 5:30 p.m. "five thirty p m", the 1980s "the nineteen eighties". */
import {
	months,
	verbalizeNumber,
	verbalizeOrdinal,
	verbalizeYear,
} from "./number-words.js";
import { type SpokenForm, speakForm } from "./spoken-form.js";

/** 3/5/2026; 3-5-2026 only with a year that is one. */
const americanDate =
	/(1[0-2]|0?[1-9])(\/|-(?=\d+-(?:19|20)))(3[01]|[12]\d|0?[1-9])\2(\d{4})(?![\d/]|\2)/y;
const isoDate = /(\d{4})-(\d{2})-(\d{2})(?![\d-])/y;
const time = /(\d{1,2}):([0-5]\d)(?![\d:])/y;
const meridiem = / ?([ap])\.?m(?![A-Za-z])/iy;
const decade = /(\d{4})s(?![A-Za-z])/y;

export function speakDate(text: string, from: number): SpokenForm | undefined {
	const iso = speakForm(
		text,
		from,
		isoDate,
		([, year = "", month, day = ""]) => {
			const name = months[Number(month) - 1];
			if (name === undefined || Number(day) > 31) return undefined;
			return `${capital(name)} ${verbalizeOrdinal(String(Number(day)))} ${verbalizeYear(year)}`;
		},
	);
	const american = speakForm(
		text,
		from,
		americanDate,
		([, month, , day = "", year = ""]) =>
			`${verbalizeDay(Number(month), day)} ${verbalizeYear(year)}`,
	);
	return iso ?? american ?? speakDayOfMonth(text, from);
}

export function verbalizeDay(month: number, day: string): string {
	const name = months[month - 1] ?? "";
	return `${capital(name)} ${verbalizeOrdinal(String(Number(day)))}`;
}

/** The 5 of March 5, and the year after it. */
function speakDayOfMonth(text: string, from: number): SpokenForm | undefined {
	const before = /(?:^|[^A-Za-z])([A-Za-z]{3,9})\.? $/.exec(
		text.slice(Math.max(0, from - 11), from),
	);
	if (!isMonthName(before?.[1] ?? "")) return undefined;
	const day =
		/^(\d{1,2})(?:st|nd|rd|th)?(?![\d:/.%A-Za-z-]*[\dA-Za-z%])(?:, (\d{4})(?![\d,]))?/.exec(
			text.slice(from, from + 24),
		);
	if (!day || Number(day[1]) < 1 || Number(day[1]) > 31) return undefined;
	const spoken = verbalizeOrdinal(String(Number(day[1])));
	const year = day[2] === undefined ? "" : ` ${verbalizeYear(day[2])}`;
	return { to: from + day[0].length, text: spoken + year };
}

/** March, or Mar. */
function isMonthName(word: string): boolean {
	const name = word.toLowerCase();
	if (name === "sept") return true;
	return months.some((it) => it === name || it.slice(0, 3) === name);
}

/** 5:30 p.m., 5 p.m., 17:30, 5:00. */
export function speakTime(text: string, from: number): SpokenForm | undefined {
	const clock = speakForm(text, from, time, ([, hour = "", minute = ""]) => {
		const spoken = verbalizeNumber(String(Number(hour)));
		if (minute === "00") return spoken;
		return minute.startsWith("0")
			? `${spoken} oh ${verbalizeNumber(minute.slice(1))}`
			: `${spoken} ${verbalizeNumber(minute)}`;
	});
	const hour = clock
		? undefined
		: /^(?:1[0-2]|[1-9])(?!\d)/.exec(text.slice(from, from + 3));
	const to = clock?.to ?? (hour ? from + hour[0].length : undefined);
	if (to === undefined) return undefined;
	const spoken = clock?.text ?? verbalizeNumber(text.slice(from, to));
	meridiem.lastIndex = to;
	const half = meridiem.exec(text);
	if (half)
		return withMeridiem(text, spoken, to + half[0].length, half[1] ?? "");
	if (!clock) return undefined;
	const full = text.slice(to - 2, to) === "00";
	const clockTime = full ? `${spoken} o'clock` : spoken;
	return /^[-–]\d{1,2}:\d\d/.test(text.slice(to, to + 6))
		? { to: to + 1, text: `${clockTime} to` }
		: { to, text: clockTime };
}

/** The period of "p.m." that ends a sentence stays. */
function withMeridiem(
	text: string,
	spoken: string,
	at: number,
	letter: string,
): SpokenForm {
	const stop = text[at] === "." && /\./.test(text.slice(at - 2, at));
	const ends = /^\.?\s*(?:$|["')]?\s*[A-Z])/.test(text.slice(at, at + 4));
	// if this is the end of the text, the period also ends the sentence
	const own = at + 1 === text.length && /^[^\p{Lu}]/u.test(text);
	const to = stop && (own || !ends) ? at + 1 : at;
	if (/^[-–]\d/.test(text.slice(to, to + 2)))
		return { to: to + 1, text: `${spoken} ${letter.toLowerCase()} m to` };
	return { to, text: `${spoken} ${letter.toLowerCase()} m` };
}

export function speakDecade(
	text: string,
	from: number,
): SpokenForm | undefined {
	return speakForm(text, from, decade, ([, digits = ""]) =>
		verbalizeDecade(digits),
	);
}

function verbalizeDecade(digits: string): string {
	const words = verbalizeYear(digits).split(" ");
	const last = words.pop() as string;
	const many = last.endsWith("y") ? `${last.slice(0, -1)}ies` : `${last}s`;
	return [...words, many].join(" ");
}

function capital(word: string): string {
	return (word[0] ?? "").toUpperCase() + word.slice(1);
}
