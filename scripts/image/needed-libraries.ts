/** What an ELF file needs to be loaded, for any processor: its loader (PT_INTERP) and the names of shared libraries (DT_NEEDED). Source: System V ABI, chapter 5; 64 bit, little endian. */

const typeLoad = 1;
const typeDynamic = 2;
const typeInterpreter = 3;
const tagEnd = 0n;
const tagNeeded = 1n;
const tagStrings = 5n;
const headerBytes = 64;
const entryBytes = 56;

export function isElf(file: Buffer): boolean {
	return (
		file.length > headerBytes &&
		file.readUInt32BE(0) === 0x7f454c46 &&
		file.readUInt16BE(4) === 0x0201
	);
}

/** @returns its path; undefined for a library, and for a program that is linked statically. */
export function loaderOf(file: Buffer): string | undefined {
	const found = segmentsOf(file).find(({ type }) => type === typeInterpreter);
	return (
		found &&
		file.toString("latin1", found.offset, file.indexOf(0, found.offset))
	);
}

/** @param file of this form (`isElf`). @returns empty for one that is linked statically. */
export function neededLibraries(file: Buffer): string[] {
	const segments = segmentsOf(file);
	const dynamic = segments.find(({ type }) => type === typeDynamic);
	if (!dynamic) return [];
	const needed: bigint[] = [];
	let strings = 0n;
	for (let at = dynamic.offset; ; at += 16) {
		const tag = file.readBigInt64LE(at);
		const value = file.readBigUInt64LE(at + 8);
		if (tag === tagEnd) break;
		if (tag === tagNeeded) needed.push(value);
		if (tag === tagStrings) strings = value;
	}
	const table = segments.find(
		({ type, address, bytes }) =>
			type === typeLoad && strings >= address && strings < address + bytes,
	);
	if (!table) throw new Error("an ELF file without strings");
	const start = table.offset + Number(strings - table.address);
	return needed.map((name) => {
		const from = start + Number(name);
		return file.toString("latin1", from, file.indexOf(0, from));
	});
}

interface Segment {
	readonly type: number;
	readonly offset: number;
	readonly address: bigint;
	readonly bytes: bigint;
}

function segmentsOf(file: Buffer): Segment[] {
	const table = Number(file.readBigUInt64LE(0x20));
	const count = file.readUInt16LE(0x38);
	return Array.from({ length: count }, (_, index) => {
		const at = table + index * entryBytes;
		return {
			type: file.readUInt32LE(at),
			offset: Number(file.readBigUInt64LE(at + 8)),
			address: file.readBigUInt64LE(at + 16),
			bytes: file.readBigUInt64LE(at + 32),
		};
	});
}
