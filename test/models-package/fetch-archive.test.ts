/** Archived models from a URL on this machine: truncated, with another checksum, refused; what is left behind, and what is resumed. */
import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { fetchArchive } from "../../runtime/models/package/fetch-archive.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { filesOf, tarGz } from "./made-archives.js";
import { breaksOff, mirror } from "./mirror.js";

const file = "tiny-zipformer.tar.gz";

async function shop(t: Test) {
	const place = t.testdir({ models: {}, shop: {} });
	const folder = join(place, "shop");
	const zipformer = join(place, "zipformer");
	writeTinyZipformer(zipformer, zipformer2States(), 6);
	const bytes = tarGz(filesOf(zipformer, "tiny-zipformer/"));
	writeFileSync(join(folder, file), bytes);
	const directory = join(place, "models");
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	const served = await mirror(t, folder);
	const get = (address = `${served.url}/${file}?key=secret`, digest = sha256) =>
		fetchArchive(address, { directory, sha256: digest, pauseMs: 1 });
	return { ...served, directory, bytes, sha256, get };
}

t.test(
	"an archived model is fetched, however often the connection breaks",
	async (t) => {
		const { get, directory, special, bytes, requests, url } = await shop(t);
		special.set(`${file}?key=secret`, breaksOff(bytes));
		const { manifest } = await get();
		t.match(manifest, {
			name: "tiny-zipformer",
			kind: "zipformer",
			source: `${url}/${file}`,
		});
		t.notMatch(JSON.stringify(manifest), /secret/);
		t.same(readdirSync(directory), ["tiny-zipformer"], "nothing else is left");
		t.ok(requests.length >= 10, `${requests.length} requests`);
	},
);

t.test("a server that reports no size ends the file by closing", async (t) => {
	const { get, special, bytes, directory } = await shop(t);
	special.set(`${file}?key=secret`, (_, response) => {
		for (let at = 0; at < bytes.length; at += 10_000)
			response.write(bytes.subarray(at, at + 10_000));
		response.end();
	});
	await get();
	t.same(readdirSync(directory), ["tiny-zipformer"]);
});

t.test("a download that a server interrupted is resumed", async (t) => {
	const { get, special, bytes, directory, requests } = await shop(t);
	special.set(`${file}?key=secret`, ({ headers }, response) => {
		if (headers.range) return void response.writeHead(503).end();
		response.writeHead(200, { "content-length": bytes.length });
		response.write(bytes.subarray(0, 1000), () => response.destroy());
	});
	await t.rejects(get(), { message: /returned 503; the partial file is kept/ });
	t.same(readdirSync(directory), [".downloads"]);
	special.clear();
	special.set(`${file}?key=secret`, breaksOff(bytes));
	requests.length = 0;
	await get();
	t.match(requests[0], /bytes=1000-$/);
	t.same(readdirSync(directory), ["tiny-zipformer"]);
});

t.test("what can't be installed yet is fetched once", async (t) => {
	const { directory, requests, sha256, url } = await shop(t);
	const address = `${url}/${file}`;
	const add = (more: object = {}) =>
		fetchArchive(address, { directory, sha256, pauseMs: 1, ...more });
	const stopped = new AbortController();
	const stop = (_: number, __: number, step: string) => {
		if (step === "unpacking") stopped.abort();
	};
	await t.rejects(add({ signal: stopped.signal, onBytes: stop }), {
		message: /^stopped; what was fetched is kept for the next time$/,
	});
	await t.rejects(add({ name: "No Name" }), { message: /not a package name/ });
	await add();
	t.equal(requests.length, 1, requests.join(", "));
	await t.rejects(add(), { message: /already exists: remove it first/ });
	await t.rejects(add({ name: "tiny-zipformer" }), {
		message: /already exists/,
	});
	t.equal(requests.length, 1, "nothing is fetched for what is there");
	t.match(await add({ name: "other" }), { manifest: { name: "other" } });
	t.same(readdirSync(directory), ["other", "tiny-zipformer"]);
});

t.test("nothing is said to be kept where nothing came", async (t) => {
	const { get, special, directory } = await shop(t);
	special.set(`${file}?key=secret`, (_, response) => response.destroy());
	await t.rejects(get(), { message: /can't be fetched: [^;]+$/ });
	t.same(readdirSync(directory), []);
});

t.test("a refused archive leaves nothing behind", async (t) => {
	const { get, url, special, bytes, directory } = await shop(t);
	const other = "0".repeat(64);
	const secret = `${file}?key=secret`;
	const refusals: [string, () => Promise<unknown>, RegExp][] = [
		["another file", () => get(undefined, other), /does not match --sha256/],
		["no digest", () => get(undefined, "12"), /must be 64 hexadecimal digits/],
		["not there", () => get(`${url}/nothing`), /the server returned 404/],
		["no address", () => get("http://"), /is not a valid URL/],
		[
			"a password in it",
			() => get(url.replace("//", "//me:pass@")),
			/a user name or a password/,
		],
	];
	for (const [name, ask, message] of refusals) {
		await t.rejects(ask(), { name: "PackageError", message }, name);
		t.same(readdirSync(directory), [], name);
	}
	special.set(secret, (_, response) => {
		response.writeHead(200, { "content-length": 4e15 }).write(bytes);
	});
	await t.rejects(get(), { message: /MB are needed, .* MB are free/ });
	t.same(readdirSync(directory), [], "no room");
	const evil = tarGz([{ name: "m/../../evil", body: "x" }]);
	special.set(secret, (_, response) => void response.end(evil));
	await t.rejects(
		get(undefined, createHash("sha256").update(evil).digest("hex")),
		{ message: /^tiny-zipformer\.tar\.gz: .*outside the archive/ },
	);
	t.same(readdirSync(directory), [], "an evil one");
});
