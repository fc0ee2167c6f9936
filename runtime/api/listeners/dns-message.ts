/**
 * What a message of multicast DNS (RFC 1035, 6762) costs whoever decodes it, found by reading over it once. A name is decoded in full wherever a pointer leads to
 * it, so that a few bytes may stand for thousands of labels.
 *
 * INVARIANT: what is accepted has exactly the form that its types have. A decoder that goes on where the data of a record seems to end, and not where the record
 * says so, reads nothing else than was counted here.
 */

/** RFC 6762, section 17. */
const messageBytesMax = 9000;
const headerBytes = 12;
/** RFC 1035, section 3.1. */
const nameBytesMax = 255;
const labelBytesMax = 63;
/** The two high bits of a first byte: a pointer to an earlier name. */
const pointerMark = 0xc0;
const multicastPort = 5353;
/** Of a program that only knows unicast DNS (RFC 6762, section 6.7): its questions are repeated in the answer. */
const repeatedQuestionsMax = 16;
/** Of one name, however it is written: each may be answered with all that is known of it. */
const nameQuestionsMax = 8;
/** What a device that comes up means to announce; records of this section are sorted (RFC 6762, section 8.2). */
const plannedRecordsMax = 32;
/** Over IPv4. An answer is made as long as the asker says that it takes, and a longer one can't be sent. */
const answerBytesMax = messageBytesMax - 28;
/** What these cost besides their bytes: a question, which may be answered; a record; a piece of a record; and a byte of a list of types, of which each bit is a number. */
const questionWork = 128;
const recordWork = 64;
const pieceWork = 8;
const typesWork = 8;

/** Bytes that are decoded of one message. A hundred questions, as a program asks that looks for everything, come to less than half of it. */
export const workMax = 32_768;

const recordType = {
	ipv4Address: 1,
	alias: 5,
	pointer: 12,
	text: 16,
	ipv6Address: 28,
	service: 33,
	options: 41,
	types: 47,
} as const;

/**
 * @param port that it came from
 * @returns bytes that are decoded of it, and what its entries cost, at most `workMax`; undefined where it comes to more, or is malformed
 */
export function workOf(bytes: Buffer, port: number): number | undefined {
	if (bytes.length < headerBytes || bytes.length > messageBytesMax)
		return undefined;
	const questions = bytes.readUInt16BE(4);
	const planned = bytes.readUInt16BE(8);
	const records = bytes.readUInt16BE(6) + planned + bytes.readUInt16BE(10);
	const entriesWork = questions * questionWork + records * recordWork;
	if (entriesWork > workMax || planned > plannedRecordsMax) return undefined;
	if (port !== multicastPort && questions > repeatedQuestionsMax)
		return undefined;
	const reader = new MessageReader(bytes);
	for (let i = 0; i < questions; i++) if (!reader.question()) return undefined;
	for (let i = 0; i < records; i++) if (!reader.record()) return undefined;
	const work = entriesWork + reader.work;
	return reader.isAtEnd && work <= workMax ? work : undefined;
}

class MessageReader {
	readonly #bytes: Buffer;
	/** How many there are of a name, by the name's hash: only sameness counts. */
	readonly #questions = new Map<number, number>();
	#at = headerBytes;
	#work = 0;
	/** FNV-1a of the name that was read last, in small letters. */
	#nameHash = 0;

	constructor(bytes: Buffer) {
		this.#bytes = bytes;
	}

	get work(): number {
		return this.#work;
	}

	get isAtEnd(): boolean {
		return this.#at === this.#bytes.length;
	}

	/** @returns false where it is malformed, or one too many. */
	question(): boolean {
		const end = this.#endOfName(this.#at);
		if (end === undefined || end + 4 > this.#bytes.length) return false;
		this.#at = end + 4;
		const count = (this.#questions.get(this.#nameHash) ?? 0) + 1;
		this.#questions.set(this.#nameHash, count);
		return count <= nameQuestionsMax;
	}

	/** @returns false where it is malformed. */
	record(): boolean {
		const header = this.#endOfName(this.#at);
		if (header === undefined || header + 10 > this.#bytes.length) return false;
		const type = this.#bytes.readUInt16BE(header);
		const capacity = this.#bytes.readUInt16BE(header + 2); // of options, whose class it is elsewhere
		const from = header + 10;
		const to = from + this.#bytes.readUInt16BE(header + 8);
		if (to > this.#bytes.length) return false;
		this.#at = to;
		this.#work += to - from;
		switch (type) {
			case recordType.ipv4Address:
				return to - from === 4;
			case recordType.ipv6Address:
				return to - from === 16;
			case recordType.alias:
			case recordType.pointer:
				return this.#endOfName(from) === to;
			case recordType.service:
				return this.#endOfName(from + 6) === to;
			case recordType.text:
				return this.#isFilled(from, to, 1);
			case recordType.options:
				return capacity <= answerBytesMax && this.#isFilled(from, to, 4);
			case recordType.types:
				return this.#isTypeList(from, to);
			default:
				return true; // passed over
		}
	}

	/** @returns where it ends; undefined where it is malformed or too long */
	#endOfName(from: number): number | undefined {
		const bytes = this.#bytes;
		let end: number | undefined;
		let start = from; // of the part that is read
		let at = from;
		let length = 0;
		this.#nameHash = 0x811c9dc5;
		while (length <= nameBytesMax && this.#work <= workMax) {
			const first = bytes[at];
			if (first === undefined) return undefined;
			length++; // a pointer counts as a label: a chain of them ends, too
			this.#work++;
			if (first === 0) return end ?? at + 1;
			if (first >= pointerMark) {
				if (at + 2 > bytes.length) return undefined;
				const target = bytes.readUInt16BE(at) & 0x3fff;
				if (target >= start) return undefined;
				end ??= at + 2;
				start = target;
				at = target;
				continue;
			}
			const next = at + 1 + first;
			if (first > labelBytesMax || next > bytes.length) return undefined;
			this.#addToHash(at + 1, next);
			at = next;
			length += first;
			this.#work += first;
		}
		return undefined;
	}

	/** A label with dots in it is to the library the same as several. */
	#addToHash(from: number, to: number): void {
		let hash = this.#nameHash;
		for (let at = from; at < to; at++) {
			const byte = this.#bytes[at] ?? 0;
			const isCapital = byte >= 0x41 && byte <= 0x5a;
			hash = Math.imul(hash ^ (isCapital ? byte + 0x20 : byte), 0x01000193);
		}
		this.#nameHash = Math.imul(hash ^ 0x2e, 0x01000193);
	}

	/** Whether it is pieces that each begin with their length, which ends the header of a piece. */
	#isFilled(from: number, to: number, pieceHeaderBytes: 1 | 4): boolean {
		let at = from;
		while (at + pieceHeaderBytes <= to) {
			const length =
				pieceHeaderBytes === 1
					? this.#bytes.readUInt8(at)
					: this.#bytes.readUInt16BE(at + 2);
			at += pieceHeaderBytes + length;
			this.#work += pieceWork;
		}
		return at === to;
	}

	/** The form that RFC 6762 gives it in section 6.1. Devices send wrong pointers for its name: it is not decoded. */
	#isTypeList(from: number, to: number): boolean {
		let at = from;
		for (let isNamed = false; !isNamed; ) {
			if (at >= to) return false;
			const length = this.#bytes.readUInt8(at);
			const isPointer = length >= pointerMark;
			if (length > labelBytesMax && !isPointer) return false;
			isNamed = length === 0 || isPointer;
			at += isPointer ? 2 : 1 + length;
		}
		if (at === to) return true;
		if (at + 2 > to) return false;
		const bitBytes = this.#bytes.readUInt8(at + 1);
		this.#work += bitBytes * typesWork;
		return (
			this.#bytes[at] === 0 &&
			bitBytes >= 1 &&
			bitBytes <= 32 &&
			at + 2 + bitBytes === to
		);
	}
}
