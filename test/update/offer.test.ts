/** Fetching a release to the program's folder: from files and servers, interrupted, altered, too large, without disk space. */
import {
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import { examine } from "../../runtime/update/candidate.js";
import { readPublicKey } from "../../runtime/update/minisign.js";
import { readOffer, take } from "../../runtime/update/offer.js";
import { placesOf } from "../../runtime/update/places.js";
import { agree, isNewer, releaseOf } from "../../runtime/update/release.js";
import { below, randomOf } from "../fuzz/random.js";
import { newSigner, signatureOf } from "./minisign-writer.js";

const signer = newSigner();
const keys = [readPublicKey(signer.publicKey)];
const random = randomOf(1);
const content = Buffer.from(
	Array.from({ length: 300_000 }, () => below(random, 256)),
);
const comment = `version:0.2.0\tarch:${process.arch}\tbytes:${content.length}`;
const quick = { pauseMs: 1, stallMsMax: 60_000 };

/** A folder with a release, and one with a program. */
function shelf(t: Test, trustedComment = comment) {
	const dir = t.testdir({ release: {}, bin: { earshot: "the old one" } });
	const path = join(dir, "release", "earshot");
	writeFileSync(path, content);
	writeFileSync(
		`${path}.minisig`,
		signatureOf(content, signer, { comment: trustedComment }),
	);
	return { path, places: placesOf(join(dir, "bin", "earshot")), dir };
}

/** @param answer for the program's bytes from an offset on, and the number of the request. */
async function serverOf(
	t: Test,
	path: string,
	answer: (response: ServerResponse, from: number, time: number) => void,
) {
	const ranges: string[] = [];
	const server = createServer((request, response) => {
		if (request.url?.endsWith(".minisig"))
			return void response.end(readFileSync(`${path}.minisig`));
		ranges.push(request.headers.range ?? "all");
		const from = Number(/(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
		answer(response, from, ranges.length);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/earshot`, ranges };
}

function send(response: ServerResponse, from: number): void {
	const headers = {
		"content-range": `bytes ${from}-${content.length - 1}/${content.length}`,
	};
	response.writeHead(from > 0 ? 206 : 200, from > 0 ? headers : {});
	response.end(content.subarray(from));
}

t.test("a file is fetched to the program's folder, verified", async (t) => {
	const { path, places } = shelf(t);
	let seen = 0;
	await take(await readOffer(path, keys), places, {
		onBytes: (bytes) => {
			seen += bytes;
		},
	});
	t.ok(readFileSync(places.next).equals(content));
	t.equal(statSync(places.next).mode & 0o777, 0o755);
	t.equal(seen, content.length);
	t.strictSame(readdirSync(places.folder).sort(), ["earshot", "earshot.next"]);
	t.equal(readFileSync(places.program, "utf8"), "the old one");
});

t.test("an altered file is refused, and nothing of it is kept", async (t) => {
	const { path, places } = shelf(t);
	const altered = Buffer.from(content);
	altered[200_000] = ~(altered[200_000] ?? 0) & 0xff;
	writeFileSync(path, altered);
	await t.rejects(
		take(await readOffer(path, keys), places, {}),
		/invalid signature/,
	);
	t.strictSame(readdirSync(places.folder), ["earshot"]);
});

t.test("an interrupted download is resumed", async (t) => {
	const { path, places } = shelf(t);
	const { url, ranges } = await serverOf(t, path, (response, from, time) => {
		if (time > 3) return send(response, from);
		response.writeHead(from > 0 ? 206 : 200, {
			"content-length": content.length - from,
			"content-range": `bytes ${from}-${content.length - 1}/${content.length}`,
		});
		response.write(content.subarray(from, from + 60_000), () =>
			response.destroy(),
		);
	});
	await take(await readOffer(url, keys), places, quick);
	t.ok(readFileSync(places.next).equals(content));
	t.equal(ranges.length, 4);
	t.match(ranges[3], /^bytes=[1-9]\d+-$/);
});

t.test(
	"it is resumed by the next process as well; another release starts from the beginning",
	async (t) => {
		const { path, places } = shelf(t);
		const half = (response: ServerResponse, from: number) => {
			response.writeHead(from > 0 ? 206 : 200, {
				"content-length": content.length - from,
				"content-range": `bytes ${from}-${content.length - 1}/${content.length}`,
			});
			response.write(content.subarray(from, Math.max(from, 100_000)), () =>
				response.destroy(),
			);
		};
		const first = await serverOf(t, path, half);
		await t.rejects(
			take(await readOffer(first.url, keys), places, quick),
			/resumed the next time/,
		);
		const second = await serverOf(t, path, send);
		await take(await readOffer(second.url, keys), places, quick);
		t.ok(readFileSync(places.next).equals(content));
		t.match(second.ranges, [/^bytes=[1-9]\d+-$/]);
		writeFileSync(
			`${path}.minisig`,
			signatureOf(content, signer, { comment: "another", isPlain: true }),
		);
		const third = await serverOf(t, path, send);
		await take(await readOffer(third.url, keys), places, quick);
		t.strictSame(third.ranges, ["all"]);
		t.strictSame(readdirSync(places.folder).sort(), [
			"earshot",
			"earshot.next",
		]);
	},
);

t.test("an endless answer is aborted", async (t) => {
	const { path, places } = shelf(t);
	const { url } = await serverOf(t, path, (response) => {
		response.writeHead(200);
		response.write(content);
		response.end("more");
	});
	await t.rejects(take(await readOffer(url, keys), places, quick), {
		message: /larger than/,
	});
	const missing = await serverOf(t, path, (response) =>
		response.writeHead(404).end(),
	);
	await t.rejects(
		take(await readOffer(missing.url, keys), places, quick),
		/returned 404/,
	);
});

t.test("a missing or endless signature is reported", async (t) => {
	const { path, dir } = shelf(t);
	await t.rejects(readOffer(join(dir, "none"), keys), /none\.minisig can't/);
	writeFileSync(`${path}.minisig`, "x".repeat(10_000));
	await t.rejects(readOffer(path, keys), /too large/);
	symlinkSync("/dev/zero", join(dir, "zero.minisig"));
	await t.rejects(readOffer(join(dir, "zero"), keys), /minisign|too large/);
});

t.test("a download larger than the free disk space is not begun", async (t) => {
	const { path, places } = shelf(t, "bytes:900000000000000");
	await t.rejects(
		take(await readOffer(path, keys), places, {}),
		/MB are needed/,
	);
	t.strictSame(readdirSync(places.folder), ["earshot"]);
});

t.test("a program for another device is reported", async (t) => {
	const { places } = shelf(t);
	const other = process.arch === "x64" ? 183 : 62;
	const here = process.arch === "x64" ? 62 : 183;
	const header = (machine: number) => {
		const bytes = Buffer.alloc(64);
		bytes.write("\x7fELF\x02\x01\x01", "latin1");
		bytes.writeUInt16LE(machine, 18);
		return bytes;
	};
	for (const [bytes, message] of [
		[Buffer.from("#!/bin/sh\n"), /not an ELF executable/],
		[Buffer.alloc(0), /not an ELF executable/],
		[header(other), /it is built for (arm64|x64), and this device is/],
		[header(40), /built for processor 40/],
		[header(here), /does not start on this device/],
	] as const) {
		writeFileSync(places.next, bytes, { mode: 0o755 });
		await t.rejects(examine(places), { name: "UpdateError", message });
	}
	t.strictSame(readdirSync(places.folder).sort(), ["earshot", "earshot.next"]);
});

t.test("which releases are accepted", async (t) => {
	const here = { version: "0.10.0", architecture: "x64" };
	for (const [version, newer] of [
		["0.10.1", true],
		["0.9.9", false],
		["0.10.0", false],
		["0.10.0-rc.1", false],
		["1.0.0-rc.1", true],
	] as const)
		t.equal(isNewer({ version }, here), newer, version);
	t.equal(isNewer({}, here), true, "only the file can tell");
	t.throws(() => isNewer({ architecture: "arm64" }, here), /arm64.*x64/);
	t.throws(() => agree({ version: "9.0.0" }, here), /9\.0\.0.*0\.10\.0/);
	t.strictSame(
		releaseOf("timestamp:1\tfile:earshot-1.2.3-rc.1-linux-arm64-glibc2.38"),
		{ version: "1.2.3-rc.1", architecture: "arm64" },
	);
	t.strictSame(releaseOf("version:../../x\tbytes:-1\tfile:y"), {});
});
