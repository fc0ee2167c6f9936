/** Hostile archives: written byte by byte, so that they can contain what no packer would produce. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export interface Packed {
	readonly name: string;
	readonly body?: Buffer | string;
	/** POSIX.1-1988's letter: 0 file, 1 hard link, 2 symbolic link, 3 and 4 devices, 5 folder, 6 pipe. */
	readonly type?: string;
	readonly target?: string;
	/** Size in the header, if it is to be wrong. */
	readonly claims?: number;
	/** Zip: Unix mode. */
	readonly mode?: number;
	/** Zip: the flag for encryption. */
	readonly encrypted?: boolean;
}

/** @param below a folder in the archive for the files. */
export function filesOf(folder: string, below = ""): Packed[] {
	return readdirSync(folder).map((name) => ({
		name: `${below}${name}`,
		body: readFileSync(join(folder, name)),
	}));
}

export function tar(entries: readonly Packed[]): Buffer {
	const pieces = entries.flatMap((entry) => {
		const body = Buffer.from(entry.body ?? "");
		const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
		return [tarHeader(entry, body.length), body, padding];
	});
	return Buffer.concat([...pieces, Buffer.alloc(1024)]);
}

export function tarGz(entries: readonly Packed[]): Buffer {
	return gzipSync(tar(entries));
}

/** Undefined where the program is missing. */
export function tarBz2(entries: readonly Packed[]): Buffer | undefined {
	const { status, stdout } = spawnSync("bzip2", ["-c"], {
		input: tar(entries),
		maxBuffer: 1e9,
	});
	return status === 0 ? stdout : undefined;
}

function tarHeader(entry: Packed, length: number): Buffer {
	const header = Buffer.alloc(512);
	const bytes = entry.claims ?? length;
	header.write(entry.name, 0, 100);
	header.write("0000644\0", 100);
	header.write("0000000\0", 108);
	header.write("0000000\0", 116);
	if (bytes < 8 ** 11)
		header.write(`${bytes.toString(8).padStart(11, "0")}\0`, 124);
	else {
		header[124] = 0x80; // GNU's binary numbers
		header.writeBigUInt64BE(BigInt(bytes), 128);
	}
	header.write("00000000000\0", 136);
	header.write("        ", 148);
	header.write(entry.type ?? "0", 156);
	header.write(entry.target ?? "", 157, 100);
	header.write("ustar\x0000", 257);
	const sum = header.reduce((total, byte) => total + byte, 0);
	header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
	return header;
}

export function zip(entries: readonly Packed[]): Buffer {
	const locals: Buffer[] = [];
	const list: Buffer[] = [];
	let at = 0;
	for (const entry of entries) {
		const body = Buffer.from(entry.body ?? "");
		const name = Buffer.from(entry.name);
		const packed = deflateRawSync(body);
		const about = Buffer.alloc(26);
		about.writeUInt16LE(20, 0);
		about.writeUInt16LE(0x800 + (entry.encrypted ? 1 : 0), 2); // names in UTF-8
		about.writeUInt16LE(8, 4);
		about.writeUInt32LE(crc32(body), 10);
		about.writeUInt32LE(packed.length, 14);
		about.writeUInt32LE(entry.claims ?? body.length, 18);
		about.writeUInt16LE(name.length, 22);
		const local = Buffer.concat([
			Buffer.from("PK\x03\x04"),
			about,
			name,
			packed,
		]);
		const rest = Buffer.alloc(14);
		rest.writeUInt32LE((entry.mode ?? 0o100644) * 0x10000, 6);
		rest.writeUInt32LE(at, 10);
		const madeBy = Buffer.from([20, 3]); // Unix
		list.push(
			Buffer.concat([Buffer.from("PK\x01\x02"), madeBy, about, rest, name]),
		);
		locals.push(local);
		at += local.length;
	}
	const listed = Buffer.concat(list);
	const end = Buffer.alloc(18);
	end.writeUInt16LE(entries.length, 4);
	end.writeUInt16LE(entries.length, 6);
	end.writeUInt32LE(listed.length, 8);
	end.writeUInt32LE(at, 12);
	return Buffer.concat([...locals, listed, Buffer.from("PK\x05\x06"), end]);
}
