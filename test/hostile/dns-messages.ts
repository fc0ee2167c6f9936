/** Messages of multicast DNS, of which each would cost the library that answers it a long time, or the process its life. */

const pointerTypes = 12;
const any = 1;

export function numbers(...values: readonly number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 2);
	for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
	return bytes;
}

export function label(text: string): Buffer {
	return Buffer.concat([Buffer.of(text.length), Buffer.from(text, "latin1")]);
}

export function nameOf(text: string): Buffer {
	return Buffer.concat([...text.split(".").map(label), Buffer.of(0)]);
}

export function pointerTo(offset: number): Buffer {
	return numbers(0xc000 | offset);
}

export function question(name: Uint8Array, type = pointerTypes): Buffer {
	return Buffer.concat([name, numbers(type, any)]);
}

export function record(
	name: Uint8Array,
	type: number,
	data: Uint8Array,
	{ lifeSeconds = 120, capacity = any } = {},
): Buffer {
	const header = numbers(type, capacity, 0, lifeSeconds, data.length);
	return Buffer.concat([name, header, data]);
}

export interface Sections {
	readonly flags?: number;
	readonly questions?: readonly Uint8Array[];
	readonly answers?: readonly Uint8Array[];
	readonly planned?: readonly Uint8Array[];
	readonly others?: readonly Uint8Array[];
}

export const answerFlags = 0x8400;
export const truncatedFlags = 0x0200;
/** Where the first name is. */
export const firstName = 12;

export function message({
	flags = 0,
	questions = [],
	answers = [],
	planned = [],
	others = [],
}: Sections): Buffer {
	const sections = [questions, answers, planned, others];
	const counts = sections.map(({ length }) => length);
	return Buffer.concat([numbers(0, flags, ...counts), ...sections.flat()]);
}

export function many<Made>(count: number, make: (i: number) => Made): Made[] {
	return Array.from({ length: count }, (_, i) => make(i));
}

/** Each bit of a number says whether a letter is a capital. */
function inCapitals(text: string, bits: number): string {
	let left = bits;
	return text.replace(/[a-z]/g, (letter) => {
		const isCapital = left % 2 === 1;
		left = Math.floor(left / 2);
		return isCapital ? letter.toUpperCase() : letter;
	});
}

const longName = Buffer.concat([
	Buffer.alloc(240, Buffer.from("\x01a")),
	Buffer.of(0),
]);

export const wyoming = nameOf("_wyoming._tcp.local");
const options = (capacity: number) =>
	record(Buffer.of(0), 41, Buffer.alloc(0), { capacity });

/** A name of `labels` labels, and as many questions that point to it as go into `bytes`. */
export function pointedTo(labels: number, bytes: number): Buffer {
	const name = Buffer.alloc(2 * labels + 1, Buffer.from("\x01a"));
	name[name.length - 1] = 0;
	const pointing = question(pointerTo(firstName));
	const count = Math.floor((bytes - 12 - name.length - 4) / pointing.length);
	return message({
		questions: [question(name), ...many(count, () => pointing)],
	});
}

/** In names that are about as long as they may be. */
export function longNames(count: number): Buffer {
	return message({
		questions: [
			question(longName),
			...many(count - 1, (i) =>
				question(Buffer.concat([label(`${i}`), pointerTo(firstName)])),
			),
		],
	});
}

/** Each name goes on with the one before. */
export const chain = message({
	questions: [
		question(nameOf("a")),
		...many(1100, (i) => {
			const before = i === 0 ? firstName : firstName + 7 + (i - 1) * 8;
			return question(Buffer.concat([label("b"), pointerTo(before)]));
		}),
	],
});

/** A list of all types that there could be. */
export const allTypes = message({
	flags: answerFlags,
	answers: [
		record(
			nameOf("a"),
			47,
			Buffer.concat([
				nameOf("b"),
				...many(256, (i) =>
					Buffer.concat([Buffer.of(i, 32), Buffer.alloc(32, 255)]),
				),
			]),
		),
	],
});

/** Of a program that only knows unicast DNS: the questions, with long names, are repeated in the answer. */
export const repeated = message({
	questions: [
		question(wyoming),
		question(longName),
		...many(250, (i) =>
			question(
				Buffer.concat([
					label(`b${i}`),
					pointerTo(firstName + wyoming.length + 4),
				]),
			),
		),
	],
});

/** One question, in letters that differ: each is answered. @param capacity of an answer, in bytes */
export function sameQuestions(count: number, capacity: number): Buffer {
	return message({
		questions: many(count, (i) =>
			question(nameOf(inCapitals("_services._dns-sd._udp.local", i))),
		),
		others: [options(capacity)],
	});
}

/** A query in `count` messages: each but the last says that more follows. */
export function truncated(count: number): Buffer[] {
	return many(count, (i) =>
		message({
			flags: i < count - 1 ? truncatedFlags : 0,
			questions: many(100, (k) => question(nameOf(`a${i}-${k}.local`))),
		}),
	);
}

/** What another device says of the service. */
export function contradiction(
	instance: string,
	host: string,
	lifeSeconds: number,
	port: number,
): Buffer {
	const service = Buffer.concat([
		label(instance),
		nameOf("_wyoming._tcp.local"),
	]);
	const data = Buffer.concat([numbers(0, 0, port), nameOf(host)]);
	return message({
		flags: answerFlags,
		answers: [record(service, 33, data, { lifeSeconds })],
	});
}
