/** Models fetched by name from a server on this machine: signed, truncated, altered, withdrawn. */
import {
	createHash,
	generateKeyPairSync,
	type KeyObject,
	sign,
} from "node:crypto";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { freeBytesOf } from "../../runtime/disk/free-bytes.js";
import type { UnpinnedFile } from "../../runtime/models/package/entry-files.js";
import {
	fetchModel,
	knownModels,
} from "../../runtime/models/package/fetch-model.js";
import { adoptPins } from "../../runtime/models/package/pins.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { breaksOff, mirror } from "./mirror.js";

interface Shop {
	readonly folder: string;
	readonly directory: string;
	readonly key: string;
	readonly privateKey: KeyObject;
	readonly catalogue: {
		schema: number;
		serial: number;
		models: {
			name: string;
			licence: string;
			source: string;
			files: { name: string; url: string; sha256: string; bytes: number }[];
		}[];
	};
}

function shop(t: Test): Shop {
	const place = t.testdir({ models: {}, shop: {} });
	const folder = join(place, "shop");
	writeTinyZipformer(folder, zipformer2States(), 6);
	const files = readdirSync(folder).map((name) => {
		const bytes = readFileSync(join(folder, name));
		const sha256 = createHash("sha256").update(bytes).digest("hex");
		return { name, url: name, sha256, bytes: bytes.length };
	});
	const { publicKey, privateKey } = generateKeyPairSync("ed25519");
	const { x = "" } = publicKey.export({ format: "jwk" });
	return {
		folder,
		directory: join(place, "models"),
		key: Buffer.from(x, "base64url").toString("base64"),
		privateKey,
		catalogue: {
			schema: 1,
			serial: 3,
			models: [{ name: "tiny", licence: "MIT", source: "a test", files }],
		},
	};
}

function publish({ folder, privateKey, catalogue }: Shop): void {
	const text = Buffer.from(JSON.stringify(catalogue));
	writeFileSync(join(folder, "catalogue.json"), text);
	writeFileSync(
		join(folder, "catalogue.json.sig"),
		sign(null, text, privateKey).toString("base64"),
	);
}

function get(
	{ directory, key }: Shop,
	url: string,
	options: { stallMsMax?: number; replace?: boolean } = {},
) {
	return fetchModel(
		"tiny",
		{ location: `${url}/catalogue.json`, key },
		{ directory, pauseMs: 1, ...options },
	);
}

const encoder = "encoder-epoch-99-avg-1.onnx";

t.test("a model is fetched, checked and installed", async (t) => {
	const one = shop(t);
	publish(one);
	const { url } = await mirror(t, one.folder);
	const { manifest } = await get(one, url);
	t.match(manifest, { name: "tiny", kind: "zipformer", licence: "MIT" });
	t.same(readdirSync(join(one.directory, ".downloads")), []);
	t.same(
		readFileSync(join(one.directory, "tiny/encoder.onnx")),
		readFileSync(join(one.folder, encoder)),
	);
});

t.test(
	"what is installed already is refused before anything is asked or fetched",
	async (t) => {
		const one = shop(t);
		publish(one);
		const { url, requests } = await mirror(t, one.folder);
		await get(one, url);
		const [model] = one.catalogue.models;
		const licensing = { summary: "", commercial: "no", mustAccept: true };
		const models = [{ ...model, licensing, convert: true }];
		publish({
			...one,
			catalogue: { ...one.catalogue, schema: 2, models } as Shop["catalogue"],
		});
		requests.length = 0;
		await t.rejects(get(one, url), { message: /already exists: .*--replace$/ });
		t.notOk(requests.includes(encoder), requests.join(", "));
	},
);

t.test(
	"room is needed for what is fetched and for the package made of it",
	async (t) => {
		const one = shop(t);
		const free = await freeBytesOf(one.directory);
		const [model] = one.catalogue.models;
		const models = [{ ...model, megabytes: (0.75 * free) / 1e6 }];
		publish({
			...one,
			catalogue: { ...one.catalogue, schema: 2, models } as Shop["catalogue"],
		});
		const { url, requests } = await mirror(t, one.folder);
		await t.rejects(get(one, url), { message: /MB are needed, .* are free$/ });
		t.notOk(requests.some((it) => it.startsWith(encoder)));
		const downloads = join(one.directory, ".downloads", "tiny");
		mkdirSync(downloads, { recursive: true });
		const part = join(downloads, "fetched.part");
		writeFileSync(part, "");
		truncateSync(part, Math.floor(0.7 * free)); // takes no room
		t.match(await get(one, url), { manifest: { name: "tiny" } });
	},
);

t.test(
	"a download is resumed after each of several broken connections",
	async (t) => {
		const one = shop(t);
		publish(one);
		const { url, special, requests } = await mirror(t, one.folder);
		special.set(encoder, breaksOff(readFileSync(join(one.folder, encoder))));
		await get(one, url);
		const tries = requests.filter((it) => it.startsWith(encoder));
		t.ok(tries.length >= 10, `${tries.length} requests`);
		t.ok(tries.slice(1).every((it) => it.includes("bytes=")));
	},
);

t.test(
	"a partial download is kept for the next call when a server disappears",
	async (t) => {
		const one = shop(t);
		publish(one);
		const { url, special, requests } = await mirror(t, one.folder);
		const bytes = readFileSync(join(one.folder, encoder));
		special.set(encoder, ({ headers }, response) => {
			if (headers.range) return void response.writeHead(503).end();
			response.writeHead(200, { "content-length": bytes.length });
			response.write(bytes.subarray(0, 1000), () => response.destroy());
		});
		await t.rejects(get(one, url), {
			name: "PackageError",
			message: /the server returned 503; the partial file is kept/,
		});
		t.notOk(existsSync(join(one.directory, "tiny")));
		special.clear();
		requests.length = 0;
		await get(one, url);
		t.ok(requests.includes(`${encoder} bytes=1000-`), requests.join(", "));
	},
);

t.test(
	"without range support the download starts again, and a stalled connection is closed",
	async (t) => {
		const one = shop(t);
		publish(one);
		const { url, special } = await mirror(t, one.folder);
		const bytes = readFileSync(join(one.folder, encoder));
		let requests = 0;
		special.set(encoder, (_, response) => {
			if (requests++ > 0) return void response.end(bytes); // the whole file, whatever range was requested
			response.writeHead(200, { "content-length": bytes.length });
			response.write(bytes.subarray(0, 1000)); // and nothing more
		});
		await get(one, url, { stallMsMax: 500 });
		// on a busy machine a healthy response may count as a stall, too
		t.ok(requests > 1);
	},
);

t.test(
	"a file with another checksum is discarded, a larger one is refused",
	async (t) => {
		const one = shop(t);
		publish(one);
		const { url, special } = await mirror(t, one.folder);
		const bytes = readFileSync(join(one.folder, encoder));
		const altered = Buffer.from(bytes);
		altered[5000] = (altered[5000] as number) ^ 1;
		special.set(encoder, (_, response) => void response.end(altered));
		await t.rejects(get(one, url), {
			message: /does not match the catalogue/,
		});
		special.set(
			encoder,
			(_, response) => void response.end(Buffer.concat([bytes, bytes])),
		);
		await t.rejects(get(one, url), { message: /is larger than the catalogue/ });
		special.set(encoder, (_, response) => void response.writeHead(404).end());
		await t.rejects(get(one, url), { message: /the server returned 404$/ });
		t.notOk(existsSync(join(one.directory, "tiny")));
		special.clear();
		await get(one, url);
	},
);

t.test("a catalogue is accepted only with a valid signature", async (t) => {
	const one = shop(t);
	publish(one);
	const { url } = await mirror(t, one.folder);
	const path = join(one.folder, "catalogue.json");
	const good = readFileSync(path, "utf8");
	const unsigned = { message: /the catalogue's signature is not valid/ };
	writeFileSync(path, good.replace('"serial":3', '"serial":4'));
	await t.rejects(get(one, url), unsigned);
	publish({ ...one, privateKey: generateKeyPairSync("ed25519").privateKey });
	await t.rejects(get(one, url), unsigned);
	writeFileSync(`${path}.sig`, "AAAA");
	await t.rejects(get(one, url), unsigned);
	publish(one);
	await t.rejects(get({ ...one, key: "AAAA" }, url), {
		message: /model\.catalogue_key must be an ed25519 public key/,
	});
	t.same(readdirSync(one.directory), [], "nothing was fetched");
});

t.test("an edition older than one seen before is refused", async (t) => {
	const one = shop(t);
	publish(one);
	const { url } = await mirror(t, one.folder);
	await get(one, url);
	publish({ ...one, catalogue: { ...one.catalogue, serial: 2 } });
	await t.rejects(get(one, url, { replace: true }), {
		message: /is edition 2, and edition 3 was seen before/,
	});
	publish({ ...one, catalogue: { ...one.catalogue, serial: 5 } });
	await get(one, url, { replace: true });
});

t.test("a catalogue can be read where nothing can be noted", async (t) => {
	const one = shop(t);
	publish(one);
	const { url } = await mirror(t, one.folder);
	const source = { location: `${url}/catalogue.json`, key: one.key };
	const missing = join(one.directory, "missing");
	t.equal((await knownModels(source, missing))[0]?.name, "tiny");
	t.notOk(existsSync(missing));
});

t.test("even a signed catalogue can't write outside its folder", async (t) => {
	const one = shop(t);
	const { url } = await mirror(t, one.folder);
	const [model] = one.catalogue.models;
	const [file, ...files] = model?.files ?? [];
	for (const [change, message] of [
		[{ name: "../../evil.onnx" }, /files\/0\/name must match pattern/],
		[{ url: "file:///etc/passwd" }, /which is not a valid URL/],
	] as const) {
		const changed = { ...model, files: [{ ...file, ...change }, ...files] };
		const models = [changed] as Shop["catalogue"]["models"];
		publish({ ...one, catalogue: { ...one.catalogue, models } });
		await t.rejects(get(one, url), { message });
	}
});

t.test("a package must have the catalogue entry's name", async (t) => {
	const one = shop(t);
	publish(one);
	const { url } = await mirror(t, one.folder);
	await get(one, url);
	const folder = join(one.folder, "package");
	mkdirSync(folder);
	const made = join(one.directory, "tiny");
	const files = readdirSync(made).map((name) => {
		const bytes = readFileSync(join(made, name));
		writeFileSync(join(folder, name), bytes);
		const sha256 = createHash("sha256").update(bytes).digest("hex");
		return { name, url: `package/${name}`, sha256, bytes: bytes.length };
	});
	const [model] = one.catalogue.models;
	const models = [
		{ ...model, files },
		{ ...model, name: "other", files },
	] as Shop["catalogue"]["models"];
	publish({ ...one, catalogue: { ...one.catalogue, models } });
	const again = await get(one, url, { replace: true });
	t.match(again.manifest, { name: "tiny", licence: "MIT" });
	await t.rejects(
		fetchModel(
			"other",
			{ location: `${url}/catalogue.json`, key: one.key },
			{ directory: one.directory },
		),
		{ message: /is the package tiny, not other/ },
	);
});

/** The first model, without checksums. */
function unpinned(one: Shop): Shop {
	const [model] = one.catalogue.models;
	const files = (model?.files ?? []).map(({ name, url }) => ({ name, url }));
	const models = [{ ...model, files }] as Shop["catalogue"]["models"];
	return { ...one, catalogue: { schema: 2, serial: 4, models } };
}

t.test(
	"files without a checksum are accepted once, and the same ones again",
	async (t) => {
		const one = unpinned(shop(t));
		publish(one);
		const { url, special } = await mirror(t, one.folder);
		const source = { location: `${url}/catalogue.json`, key: one.key };
		const { directory } = one;
		const requests: (readonly UnpinnedFile[])[] = [];
		const fetchWith = (isAccepted?: boolean, into = directory) =>
			fetchModel("tiny", source, {
				directory: into,
				pauseMs: 1,
				replace: true,
				...(isAccepted !== undefined && {
					accept: async (_, files) => {
						requests.push(files);
						return isAccepted;
					},
				}),
			});
		for (const answer of [undefined, false])
			await t.rejects(fetchWith(answer), {
				message:
					/nobody published a checksum of .*, and what was fetched was not accepted$/,
			});
		t.notOk(existsSync(join(directory, "tiny")));
		await fetchWith(true);
		const bytes = readFileSync(join(one.folder, encoder));
		const sha256 = createHash("sha256").update(bytes).digest("hex");
		t.match(
			requests[1]?.find((it) => it.name === encoder),
			{ sha256, bytes: bytes.length, url: `${url}/${encoder}` },
		);
		await fetchWith();
		t.equal(requests.length, 2, "not asked again");
		// another device, with the first one's checksums
		const other = join(one.folder, "..", "other");
		mkdirSync(other);
		t.same(await adoptPins(other, join(directory, "pins.json")), ["tiny"]);
		const altered = Buffer.from(bytes);
		altered[5000] = (altered[5000] as number) ^ 1;
		special.set(encoder, (_, response) => void response.end(altered));
		await t.rejects(fetchWith(true, other), {
			message: /does not match what was accepted before \(pins.json\)/,
		});
		special.clear();
		await fetchWith(undefined, other);
		writeFileSync(join(other, "pins.json"), "{}");
		await t.rejects(fetchWith(true, other), {
			message: /pins.json does not contain checksums of models/,
		});
	},
);

t.test(
	"a newer edition of files without a checksum is asked about again, an older one is not accepted",
	async (t) => {
		const one = unpinned(shop(t));
		const [model] = one.catalogue.models;
		const { url, special } = await mirror(t, one.folder);
		const questions: string[] = [];
		const fetchEdition = async (edition: string, isAccepted = true) => {
			const models = [{ ...model, edition }];
			const catalogue = { ...one.catalogue, models } as Shop["catalogue"];
			publish({ ...one, catalogue });
			const source = { location: `${url}/catalogue.json`, key: one.key };
			return fetchModel("tiny", source, {
				directory: one.directory,
				pauseMs: 1,
				replace: true,
				accept: async () => {
					questions.push(edition);
					return isAccepted;
				},
			});
		};
		await fetchEdition("2026-01-01");
		await fetchEdition("2026-01-01");
		t.same(questions, ["2026-01-01"]);
		const newer = Buffer.concat([
			readFileSync(join(one.folder, "tokens.txt")),
			Buffer.from("\n"),
		]);
		special.set("tokens.txt", (_, response) => void response.end(newer));
		await t.rejects(fetchEdition("2026-01-01"), {
			message: /does not match what was accepted before/,
		});
		await t.rejects(fetchEdition("2026-02-01", false), {
			message: /was not accepted$/,
		});
		const { manifest } = await fetchEdition("2026-02-01");
		t.match(manifest, { edition: "2026-02-01" });
		t.same(questions, ["2026-01-01", "2026-02-01", "2026-02-01"]);
		await fetchEdition("2026-02-01");
		special.clear();
		await t.rejects(fetchEdition("2026-01-01"), {
			message: /does not match what was accepted before/,
		});
		t.equal(questions.length, 3);
	},
);

t.test(
	"a page, a redirect to another host and a refused licence stop it",
	async (t) => {
		const one = shop(t);
		publish(one);
		const { url, special } = await mirror(t, one.folder);
		const elsewhere = await mirror(t, one.folder);
		special.set(encoder, (_, response) => {
			response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
			response.end("<!doctype html>");
		});
		await t.rejects(get(one, url), {
			message: /returned a web page instead of the file/,
		});
		const redirect = `${elsewhere.url}/${encoder}`;
		special.set(encoder, (_, response) => {
			response.writeHead(302, { location: redirect }).end();
		});
		publish(unpinned(one));
		await t.rejects(get(one, url), {
			message:
				/leads to 127\.0\.0\.1:\d+, another host, and there is no checksum/,
		});
		t.same(readdirSync(one.directory).includes("tiny"), false);
		const [model] = one.catalogue.models;
		const licensing = {
			summary: "ask first",
			commercial: "no",
			mustAccept: true,
			attribution: "by somebody",
		};
		const models = [{ ...model, licensing, edition: "2026-01-02" }];
		const catalogue = { schema: 2, serial: 5, models } as Shop["catalogue"];
		publish({ ...one, catalogue });
		const source = { location: `${url}/catalogue.json`, key: one.key };
		const fetchIf = (isAgreed: boolean) =>
			fetchModel("tiny", source, {
				directory: one.directory,
				agree: async ({ licensing }) =>
					isAgreed && licensing?.commercial === "no",
			});
		elsewhere.requests.length = 0;
		await t.rejects(fetchIf(false), {
			message: "tiny was not added: its licence (MIT) was not accepted",
		});
		t.same(elsewhere.requests, [], "nothing was fetched");
		// with a checksum it does not matter where a file comes from
		const { manifest } = await fetchIf(true);
		t.match(manifest, { edition: "2026-01-02" });
		t.ok("NOTICE" in manifest.files);
	},
);
