/** Archives with altered bytes: whatever is unpacked from them is inside the target folder. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Test } from "tap";
import type { UnpackLimits } from "../../runtime/models/package/archive/entry-rules.js";
import { unpackArchive } from "../../runtime/models/package/archive/unpack.js";
import type { Property } from "../fuzz/property.js";
import { below, pick } from "../fuzz/random.js";
import { tar, zip } from "./made-archives.js";

export const small: Partial<UnpackLimits> = { entriesMax: 20, bytesMax: 1e6 };

const entries = [
	{ name: "m/", type: "5", mode: 0o40755 },
	{ name: "m/tokens.txt", body: "a 0\n" },
	{ name: "m/a.onnx", body: Buffer.alloc(700, 7) },
	{ name: "m/b/c.wav", body: "sound" },
];
const archives = { tar: tar(entries), zip: zip(entries) };

interface Case {
	readonly kind: keyof typeof archives;
	readonly hits: readonly (readonly [at: number, byte: number])[];
}

export function nothingElsewhereIsWritten(t: Test): Property<Case> {
	const place = t.testdir();
	return {
		name: "models-package/archives",
		promise: "an archive of any bytes writes nothing elsewhere",
		draw(random) {
			const kind = pick(random, ["tar", "zip"] as const);
			const bytes = archives[kind].length;
			const hits = Array.from(
				{ length: 1 + below(random, 5) },
				() => [below(random, bytes), below(random, 256)] as const,
			);
			return { kind, hits };
		},
		async check({ kind, hits }) {
			const bytes = Buffer.from(archives[kind]);
			for (const [at, byte] of hits) bytes[at] = byte;
			for (const folder of ["stick", "models"])
				rmSync(join(place, folder), { recursive: true, force: true });
			const path = join(place, "stick", "x");
			const into = join(place, "models", "m");
			mkdirSync(join(place, "stick"));
			mkdirSync(into, { recursive: true });
			writeFileSync(path, kind === "zip" ? bytes : gzipSync(bytes));
			let outcome = "unpacked";
			try {
				await unpackArchive(path, into, { limits: small });
			} catch (error) {
				outcome = (error as Error).name;
				assert.match(outcome, /^(ArchiveFault|PackageError)$/);
			}
			assert.deepEqual(readdirSync(place).sort(), ["models", "stick"]);
			assert.deepEqual(readdirSync(join(place, "models")), ["m"]);
			return outcome;
		},
	};
}
