/**
 * A note added to a linked ELF program, which stays as it is otherwise: its code, its symbol tables (addons are linked against them) and their places.
 * Node looks for its blob with dl_iterate_phdr(3): in the program headers of type PT_NOTE, in memory. So there must be a segment that is loaded and a note
 * segment that points into it, and the table of program headers has no room for another. It has one entry that a program at a fixed address can do
 * without: PT_PHDR, which tells where the table itself lies. The one PT_NOTE that is there is led to the new segment, and its notes are copied there.
 * Source: System V ABI, chapters 4 and 5; only 64 bit, little endian, ET_EXEC: what Node's own builds are.
 */

const typeExecutable = 2;
const typeLoad = 1;
const typeNote = 4;
const typeTable = 6;
const readable = 4;
const headerBytes = 64;
const entryBytes = 56;
/** Pages of arm64 kernels are up to this large. */
const pageBytes = 0x10000;

interface Segment {
	readonly type: number;
	readonly flags: number;
	readonly offset: number;
	readonly address: number;
	readonly fileBytes: number;
	readonly memoryBytes: number;
	readonly align: number;
}

/** @returns the program with a note of that name. @throws on a file that is not such a program */
export function addNote(program: Buffer, name: string, note: Buffer): Buffer {
	const segments = readSegments(program);
	const offset = aligned(program.length, pageBytes);
	const loaded = segments.filter(({ type }) => type === typeLoad);
	const ends = loaded.map((it) => it.address + it.memoryBytes);
	const address = aligned(Math.max(...ends), pageBytes);
	const content = Buffer.concat([
		...segments.filter(({ type }) => type === typeNote).map(bytesIn(program)),
		asNote(name, note),
	]);
	const place = {
		flags: readable,
		offset,
		address,
		fileBytes: content.length,
		memoryBytes: content.length,
	};
	const load = { ...place, type: typeLoad, align: pageBytes };
	const notes = { ...place, type: typeNote, align: 4 };
	const result = Buffer.alloc(offset + content.length);
	program.copy(result);
	content.copy(result, offset);
	writeSegments(result, replaced(segments, load, notes));
	return result;
}

/** The new segment stands behind the others that are loaded: they are in the order of their addresses. */
function replaced(
	segments: readonly Segment[],
	load: Segment,
	notes: Segment,
): Segment[] {
	const last = segments.findLastIndex(({ type }) => type === typeLoad);
	let hasNotes = false;
	return segments.flatMap((segment, index) => {
		if (segment.type === typeTable) return [];
		if (segment.type === typeNote) {
			const isFirst = !hasNotes;
			hasNotes = true;
			return isFirst ? [notes] : [];
		}
		return index === last ? [segment, load] : [segment];
	});
}

function readSegments(program: Buffer): Segment[] {
	const isProgram =
		program.length > headerBytes &&
		program.readUInt32BE(0) === 0x7f454c46 &&
		program.readUInt16BE(4) === 0x0201 &&
		program.readUInt16LE(0x10) === typeExecutable &&
		program.readUInt16LE(0x36) === entryBytes;
	if (!isProgram) throw new Error("no ELF program at a fixed address");
	const table = Number(program.readBigUInt64LE(0x20));
	const segments = Array.from(
		{ length: program.readUInt16LE(0x38) },
		(_, index) => readSegment(program, table + index * entryBytes),
	);
	for (const type of [typeTable, typeNote])
		if (!segments.some((it) => it.type === type))
			throw new Error(`the program has no header of type ${type}`);
	return segments;
}

function readSegment(program: Buffer, at: number): Segment {
	const long = (from: number) => Number(program.readBigUInt64LE(at + from));
	return {
		type: program.readUInt32LE(at),
		flags: program.readUInt32LE(at + 4),
		offset: long(8),
		address: long(16),
		fileBytes: long(32),
		memoryBytes: long(40),
		align: long(48),
	};
}

function writeSegments(program: Buffer, segments: readonly Segment[]): void {
	const table = Number(program.readBigUInt64LE(0x20));
	program.writeUInt16LE(segments.length, 0x38);
	for (const [index, segment] of segments.entries()) {
		const at = table + index * entryBytes;
		program.writeUInt32LE(segment.type, at);
		program.writeUInt32LE(segment.flags, at + 4);
		const { offset, address, fileBytes, memoryBytes, align } = segment;
		for (const [word, value] of [
			offset,
			address,
			address,
			fileBytes,
			memoryBytes,
			align,
		].entries())
			program.writeBigUInt64LE(BigInt(value), at + 8 + 8 * word);
	}
}

function bytesIn(program: Buffer): (segment: Segment) => Buffer {
	return ({ offset, fileBytes }) => {
		const bytes = Buffer.alloc(aligned(fileBytes, 4));
		program.copy(bytes, 0, offset, offset + fileBytes);
		return bytes;
	};
}

/** Sizes of name and content, a type, and both, each filled up to 4 bytes. */
function asNote(name: string, content: Buffer): Buffer {
	const named = Buffer.from(`${name}\0`);
	const head = Buffer.alloc(12 + aligned(named.length, 4));
	head.writeUInt32LE(named.length, 0);
	head.writeUInt32LE(content.length, 4);
	named.copy(head, 12);
	const filling = Buffer.alloc(aligned(content.length, 4) - content.length);
	return Buffer.concat([head, content, filling]);
}

function aligned(value: number, to: number): number {
	return Math.ceil(value / to) * to;
}
