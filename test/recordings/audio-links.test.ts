/** Links of stored audio: what they fetch, for whom, and for how long (docs/interface.md section 2.3, docs/decisions.md section 11). */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import t from "tap";
import { AudioLinks } from "../../runtime/recordings/audio-links.js";
import { startApi } from "../api/running-api.js";
import { allOf } from "../store/all-of.js";
import { bytesOf, storedUrl, tone } from "./stored-url.js";

t.test("range requests", async (t) => {
	const api = await startApi(t);
	const sent = tone(0.5);
	const url = await storedUrl(api, "audio_url=wav", sent);
	const whole = await bytesOf(await fetch(url));
	const part = async (range: string) => {
		const response = await fetch(url, { headers: { range } });
		return { response, bytes: await bytesOf(response) };
	};
	const cases: [string, number, number][] = [
		["bytes=0-0", 0, 1],
		["bytes=40-47", 40, 48], // the header's end and the first samples
		["bytes=100-", 100, whole.length],
		["bytes=-10", whole.length - 10, whole.length],
		["bytes=16000-99999999", 16_000, whole.length],
		["bytes=-99999999", 0, whole.length],
	];
	for (const [range, from, to] of cases) {
		const { response, bytes } = await part(range);
		t.equal(response.status, 206, range);
		t.equal(
			response.headers.get("content-range"),
			`bytes ${from}-${to - 1}/${whole.length}`,
		);
		t.same(bytes, whole.subarray(from, to), range);
	}
	for (const range of [
		"bytes=5-2",
		"bytes=0-1,4-5",
		"seconds=1-2",
		"bytes=-",
	]) {
		const { response, bytes } = await part(range);
		t.equal(response.status, 200, range);
		t.equal(bytes.length, whole.length);
	}
	for (const range of [`bytes=${whole.length}-`, "bytes=-0"]) {
		const { response } = await part(range);
		t.equal(response.status, 416, range);
		t.equal(response.headers.get("content-range"), `bytes */${whole.length}`);
	}
	for (const headers of [{ range: "bytes=0-9" }, { range: "bytes=-0" }, {}]) {
		const head = await fetch(url, { method: "HEAD", headers });
		t.equal(head.status, 200, "a range is of GET only");
		t.equal(head.headers.get("content-length"), String(whole.length));
		t.equal(head.headers.get("accept-ranges"), "bytes");
		t.equal(head.headers.get("content-range"), null);
	}
});

t.test("a link is valid unchanged and for 30 days", async (t) => {
	const api = await startApi(t);
	const url = new URL(await storedUrl(api, "audio_url=wav", tone(0.1)));
	const status = async (
		change: (url: URL) => void,
		headers: Record<string, string> = {},
	) => {
		const other = new URL(url);
		change(other);
		return (await fetch(other, { headers })).status;
	};
	t.equal(await status(() => {}), 200);
	const set = (name: string, value: string) => (it: URL) =>
		it.searchParams.set(name, value);
	const expires = Number(url.searchParams.get("expires"));
	t.equal(Math.round((expires - Date.now() / 1000) / 86_400), 30);
	t.equal(await status(set("expires", String(expires + 1))), 403);
	for (const signature of ["", "x", "A".repeat(43), "é", "A".repeat(10_000)])
		t.equal(
			await status(set("signature", signature)),
			403,
			signature.slice(0, 50),
		);
	t.equal(await status(set("expires", "1e99")), 403);
	t.equal(
		await status((it) => {
			it.pathname = it.pathname.replace(".wav", ".pcm");
		}),
		403,
		"for this file only",
	);
	const unsigned = (it: URL) => {
		it.search = "";
	};
	t.equal(await status(unsigned), 401);
	t.equal(
		await status(unsigned, { authorization: `Bearer ${api.token}` }),
		200,
		"or with the token",
	);
	const admin = await api.makeToken(["admin"]);
	t.equal(await status(unsigned, { authorization: `Bearer ${admin}` }), 200);
	const { token: stranger } = await api.store.tokens.create({
		name: "stranger",
		scopes: ["asr"],
		nowSeconds: Date.now() / 1000,
		ttlSeconds: 600,
	});
	t.equal(
		await status(unsigned, { authorization: `Bearer ${stranger}` }),
		404,
		"another key's signature is invalid",
	);
	for (const path of [
		"../../store.mdb",
		"..%2fstore.mdb",
		`${"A".repeat(22)}.wav`,
		"x.wav",
		`${"A".repeat(22)}.exe`,
	])
		t.match(
			await api.ask(`/v1/asr/audio/${path}`, {
				headers: { authorization: `Bearer ${api.token}` },
			}),
			{ http: 404 },
			path,
		);
	api.nowSeconds = () => expires + 60; // it was stored after the link was made
	t.equal(await status(() => {}), 403, "expired");
	t.equal(
		await status(unsigned, { authorization: `Bearer ${api.token}` }),
		404,
	);
	await api.recordings.sweep();
	t.same(await api.shelf.ids(), []);
	t.equal(api.shelf.bytes, 0);
	t.same(await allOf(api.store.recordings.list()), []);
});

t.test("a link names the server as the caller addresses it", async (t) => {
	const api = await startApi(t);
	t.match(
		await storedUrl(api, "audio_url=wav", tone(0.1)),
		new RegExp(`^${api.url}/v1/asr/audio/`),
	);
});

t.test("or as configured", async (t) => {
	const api = await startApi(t, {
		server: { public_url: "https://asr.example/x/" },
	});
	t.match(
		await storedUrl(api, "audio_url=wav", tone(0.1)),
		/^https:\/\/asr\.example\/x\/v1\/asr\/audio\//,
	);
});

t.test(
	"a recording that can't be read is an error, not half an answer",
	async (t) => {
		const api = await startApi(t);
		const url = await storedUrl(api, "format=pcm&audio_url=wav", tone(0.5));
		t.equal((await fetch(url)).status, 200);
		const [id = ""] = await api.shelf.ids();
		// what opens and has a size, and can't be read
		rmSync(api.shelf.path(id));
		mkdirSync(api.shelf.path(id));
		const answer = await fetch(url);
		t.equal(answer.status, 500);
		t.match(await answer.json(), { status: "100003" });
	},
);

t.test("the key of links persists; ids can't be guessed", async (t) => {
	const dir = t.testdir();
	const link = AudioLinks.open(dir).link("", "a.wav", 2e9);
	t.equal(AudioLinks.open(dir).link("", "a.wav", 2e9), link);
	t.same(readdirSync(dir), ["audio-links.key"]);
	const other = AudioLinks.open(t.testdir({ other: {} })).link(
		"",
		"a.wav",
		2e9,
	);
	t.not(other, link);
});
