/** Files of a catalogue's entry that are fetched in several calls, while a server has first one edition and then another. */
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { CatalogueEntry } from "../../runtime/models/package/catalogue-entry.js";
import {
	type EntryFilesOptions,
	obtainFiles,
} from "../../runtime/models/package/entry-files.js";
import { tarGz } from "./made-archives.js";
import { type Answer, closedAfter, edition, mirror } from "./mirror.js";

const name = "model.onnx";
const first = Buffer.alloc(5000, "first");
const second = Buffer.alloc(5000, "second");

async function places(t: Test) {
	const place = t.testdir({ shop: {} });
	const served = await mirror(t, join(place, "shop"));
	const folder = join(place, "files");
	const obtain = (
		entry: Pick<CatalogueEntry, "files" | "archive">,
		options: Partial<EntryFilesOptions> = {},
	) =>
		obtainFiles(
			{ name: "m", licence: "MIT", source: "a test", ...entry },
			folder,
			{
				location: "",
				pins: {},
				redirectHosts: [],
				pauseMs: 1,
				...options,
			},
		);
	return { ...served, place, folder, obtain };
}

t.test(
	"without a checksum nothing is appended to the beginning of another edition",
	async (t) => {
		const tag = (of: string) => ({ etag: `"${of}"` });
		const date = (of: number) => ({
			"last-modified": new Date(of * 1e12).toUTCString(),
		});
		const cases: [string, Record<string, string>, Answer, string][] = [
			["the same one", tag("1"), edition(first, tag("1")), "resumed"],
			["the same date", date(1), edition(first, date(1)), "resumed"],
			["another one", tag("1"), edition(second, tag("2")), "whole"],
			["another date", date(1), edition(second, date(2)), "whole"],
			[
				"another one, and If-Range is not heeded",
				...([tag("1"), edition(second, tag("2"), false), "whole"] as const),
			],
			["one without a name", {}, edition(second, {}), "whole"],
			[
				"one whose name is weak",
				...([{ etag: 'W/"1"' }, edition(second, tag("2")), "whole"] as const),
			],
			[
				"a shorter one, and If-Range is not heeded",
				tag("1"),
				edition(second.subarray(0, 500), {}, false),
				"whole",
			],
		];
		for (const [what, names, then, how] of cases) {
			const { url, special, requests, folder, obtain } = await places(t);
			const entry = { files: [{ name, url: `${url}/${name}` }] };
			special.set(name, closedAfter(1000, first, names));
			await t.rejects(obtain(entry), { name: "PackageError" }, what);
			special.set(name, then);
			requests.length = 0;
			const [found] = await obtain(entry);
			const isFirst = how === "resumed";
			const expected = isFirst
				? first
				: second.subarray(0, what.includes("shorter") ? 500 : 5000);
			t.same(readFileSync(join(folder, name)), expected, what);
			t.equal(found?.bytes, expected.length, what);
			if (isFirst) t.same(requests, [`${name} bytes=1000-`], what);
			t.same(readdirSync(folder), [name], `${what}: nothing else is left`);
		}
	},
);

t.test(
	"a partial file as long as the new edition is not taken for it",
	async (t) => {
		const { url, special, folder, obtain } = await places(t);
		const files = [{ name, url: `${url}/${name}`, bytes: second.length }];
		const longer = Buffer.concat([first, first]);
		special.set(name, closedAfter(second.length, longer, { etag: '"1"' }));
		await t.rejects(obtain({ files }), { name: "PackageError" });
		special.set(name, edition(second, { etag: '"2"' }));
		await obtain({ files });
		t.same(readFileSync(join(folder, name)), second);
	},
);

t.test("a partial file that is too long begins again", async (t) => {
	const { url, special, folder, obtain } = await places(t);
	const sha256 = createHash("sha256").update(second).digest("hex");
	for (const known of [{}, { sha256 }]) {
		const files = [
			{ name, url: `${url}/${name}`, bytes: second.length, ...known },
		];
		mkdirSync(folder, { recursive: true });
		for (const part of [`${name}.part`, `${sha256}.part`])
			writeFileSync(join(folder, part), Buffer.alloc(6000));
		special.set(name, edition(second, { etag: '"2"' }));
		let done = 0;
		await obtain({ files }, { onBytes: (bytes) => (done = bytes) });
		t.same(readFileSync(join(folder, name)), second);
		t.equal(done, second.length, "what was discarded does not count");
		rmSync(folder, { recursive: true });
	}
});

t.test(
	"a server with less than the catalogue states is refused, not asked for ever",
	async (t) => {
		const { url, special, obtain } = await places(t);
		const files = [{ name, url: `${url}/${name}`, bytes: 6000 }];
		special.set(name, edition(first, { etag: '"1"' }));
		await t.rejects(obtain({ files }), {
			name: "PackageError",
			message: /has 5000 bytes instead of the 6000 that the catalogue states$/,
		});
	},
);

t.test(
	"an archive is kept when its unpacking is stopped, and not when it is a wrong one",
	async (t) => {
		const { place, url, requests, folder, obtain } = await places(t);
		const packed = tarGz([{ name: `m/${name}`, body: first }]);
		writeFileSync(join(place, "shop", "m.tar.gz"), packed);
		const sha256 = createHash("sha256").update(packed).digest("hex");
		const archive = { url: `${url}/m.tar.gz`, sha256, bytesMax: 100_000 };
		const entry = { files: [{ name }], archive };
		const { signal } = new AbortController();
		// stopped once unpacking began
		signal.throwIfAborted = () => {
			if (existsSync(join(folder, "archive")))
				throw new DOMException("This operation was aborted", "AbortError");
		};
		await t.rejects(obtain(entry, { signal }), {
			name: "PackageError",
			message: "stopped; what was fetched is kept",
		});
		t.same(readdirSync(folder), ["archive.part"]);
		mkdirSync(join(folder, name)); // in the way
		await t.rejects(obtain(entry), { code: "EISDIR" });
		t.same(readdirSync(folder), ["archive.part", name]);
		rmdirSync(join(folder, name));
		requests.length = 0;
		t.same(await obtain(entry), []);
		t.same(requests, [`m.tar.gz bytes=${packed.length}-`], "not fetched again");
		t.same(readdirSync(folder), [name]);
		t.same(readFileSync(join(folder, name)), first);
		const wrongs: [Parameters<typeof obtain>[0], RegExp][] = [
			[{ ...entry, files: [{ name: "other" }] }, /contains no other/],
			[
				{ ...entry, archive: { ...archive, sha256: "0".repeat(64) } },
				/does not match the catalogue/,
			],
		];
		for (const [wrong, message] of wrongs) {
			await t.rejects(obtain(wrong), { name: "PackageError", message });
			t.same(readdirSync(folder), [name]);
		}
	},
);
