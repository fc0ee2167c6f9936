/** Calls that come from the internet, are too fast, or mean harm (docs/calls.md, docs/security.md). */
import { networkInterfaces } from "node:os";
import t from "tap";
import { eventually, until } from "../fixtures/eventually.js";
import { CallClient } from "./call-client.js";
import { final, loud, runningCalls } from "./running-calls.js";

const calls = await runningCalls(t, { public: true });
const { lane, client, opened, url, token, transcript, stored } = calls;

t.beforeEach(() => {
	lane.opened.length = 0;
});

const start = (
	parameters: object,
	callSid = "CA1",
	encoding = "audio/x-mulaw",
	sampleRate = 8000,
) => ({
	event: "start",
	start: {
		callSid,
		tracks: ["inbound", "outbound"],
		mediaFormat: { encoding, sampleRate, channels: 1 },
		customParameters: parameters,
	},
});

const media = (track: string, bytes: Uint8Array) => ({
	event: "media",
	media: { track, payload: Buffer.from(bytes).toString("base64") },
});

t.test(
	"Twilio: its token in the first message, both tracks on one connection",
	async (t) => {
		const twilio = await CallClient.open({ url });
		twilio.send({ event: "connected", protocol: "Call", version: "1.0.0" });
		twilio.send(start({ token, lang_type: "ja" }));
		for (let at = 0; at < 30; at++) {
			twilio.send(media("inbound", loud(160)));
			twilio.send(media("outbound", loud(160)));
		}
		twilio.send({ event: "mark", mark: { name: "x" } });
		const [caller, callee] = [await opened(1), await opened(2)];
		t.match(lane.options, { format: "mulaw", language: "ja-JP" });
		await until(() => caller.bytes >= 3800 && callee.bytes >= 3800);
		callee.emit(final("はい", 300));
		caller.emit(final("もしもし", 0));
		const task = await eventually("its task", () =>
			[...stored.tasks.list()].find((it) => it.call === "CA1"),
		);
		await until(
			() => [...stored.store.work.utterances(task.id, 2)].length === 1,
		);
		await until(
			() => [...stored.store.work.utterances(task.id, 1)].length === 1,
		);
		twilio.send({ event: "stop" });
		t.equal(await twilio.closed(), 1000, "it need not hang up");
		t.match(await transcript(task.id), [
			{ transcript: "もしもし", cluster_id: 1 },
			{ transcript: "はい", cluster_id: 2 },
		]);
		t.same(twilio.messages, []);
	},
);

t.test("Twilio: without a token it is told where that belongs", async (t) => {
	const twilio = await CallClient.open({ url });
	twilio.send(start({ lang_type: "ja" }, "CA4"));
	t.equal(await twilio.closed(), 1008);
	t.match(twilio.closeReason, /^110001: customParameters .* token$/);
});

t.test("Twilio: one leg can't be both tracks", async (t) => {
	const twilio = await CallClient.open({ url });
	twilio.send(start({ token, lang_type: "ja", leg: "a" }, "CA2"));
	for (const track of ["inbound", "outbound"])
		twilio.send(media(track, loud(8000)));
	t.equal(await twilio.closed(), 1008);
	t.match(twilio.closeReason, /^200002: leg can't be given/);
	const task = await eventually("its task", () =>
		[...stored.tasks.list()].find((it) => it.call === "CA2"),
	);
	await stored.finished(task.id);
});

t.test("services like Twilio: audio is what its start says", async (t) => {
	for (const [encoding, rate, format] of [
		["audio/x-alaw", 8000, "alaw"],
		["audio/x-L16", 24_000, "pcm_s16le"],
		["PCMU", 8000, "mulaw"],
	] as const) {
		lane.opened.length = 0;
		const twilio = await CallClient.open({ url });
		twilio.send(start({ token }, `CA-${format}`, encoding, rate));
		twilio.send(media("inbound", loud(16_000)));
		await opened(1);
		t.match(lane.options, { format, sampleRateHz: rate }, encoding);
		twilio.hangUp();
	}
	const twilio = await CallClient.open({ url });
	twilio.send(start({ token }, "CA3", "audio/x-foo"));
	t.equal(await twilio.closed(), 1008, "not transcribed as noise");
	t.match(twilio.closeReason, /^200002: encoding must be/);
	t.match(
		// the calls before it may still be ending, and say so
		calls.log.findLast((it) => it.includes("connection was refused")),
		/"dialect":"twilio".*"status":"200002".*encoding must be/,
	);
});

t.test("no token, or a wrong one: closed before any audio", async (t) => {
	for (const parameters of [{}, { token: "x".repeat(40) }]) {
		const twilio = await CallClient.open({ url });
		twilio.send(start(parameters));
		twilio.send(media("inbound", loud(160)));
		t.equal(await twilio.closed(), 1008);
	}
	const jambonz = await CallClient.open({ url });
	jambonz.send({ type: "start", sampleRateHz: 8000 });
	t.match(await jambonz.receive("error"), { status: "110001" });
	const fork = await CallClient.open({ url });
	fork.audio(loud(160));
	t.match(await fork.receive("error"), { status: "110001" });
	t.equal(lane.opened.length, 0);
});

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
	addresses?.some(({ family }) => family === "IPv6"),
);

t.test(
	"without tokens a caller is its network, for calls as for requests",
	{ skip: !hasIpv6 && "this machine has no IPv6" },
	async (t) => {
		const open = await runningCalls(
			t,
			{ public: true },
			{
				auth: { required: false },
				server: {
					host: "::", // clients of IPv4 have an address of IPv6 there
					connections_max: 20,
					network_share_max: 1,
					caller_share_max: 0.05,
				},
			},
		);
		const request = () =>
			open.recognize("lang_type=en", { headers: { Authorization: "" } });
		t.match(await request(), { http: 200 });
		const call = await CallClient.open({ url: open.url });
		t.match(await request(), { http: 503, message: /of this caller/ });
		call.hangUp();
		await until(async () => (await request()).http === 200);
	},
);

t.test("a sender faster than speech waits, and loses nothing", async (t) => {
	const fast = await client({
		query: { encoding: "mulaw", lang_type: "en", call: "fast" },
	});
	lane.behaviour = { stallTurns: -1 };
	const seconds = 90; // more than is kept for an engine that is slow
	fast.audio(loud(seconds * 8000), 8000);
	const recognition = await opened(1);
	await until(() => recognition.bytes > 0);
	const draining = setInterval(() => recognition.drain(), 1);
	t.teardown(() => clearInterval(draining));
	await until(() => recognition.bytes >= (seconds - 1) * 8000);
	fast.hangUp();
	const task = await eventually("its task", () =>
		[...stored.tasks.list()].find((it) => it.call === "fast"),
	);
	t.same((await stored.finished(task.id)).notes, []);
});

t.test("frames that are too large, deep or no text", async (t) => {
	for (const [text, why] of [
		[`"${"x".repeat(70_000)}"`, /64 KiB/],
		[JSON.stringify(start({ token })).replace("CA1", "\\u0000"), /./],
	] as const) {
		const it = await client();
		it.send(text);
		it.send("{".repeat(1000));
		it.send("[".repeat(60_000));
		await until(() => it.messages.length > 0 || it.closeCode !== undefined);
		t.match(String(it.messages[0]?.error ?? "closed"), why);
		it.hangUp();
	}
	t.equal((await fetch(`${url}/healthz`)).status, 200);
});

const kibibyte = 1024;

t.test(
	"a call without audio holds no long message, and a delayed one comes in",
	async (t) => {
		const query = { rate: "16000", channels: "2", lang_type: "en" };
		const late = await client({ query: { ...query, call: "late" } });
		late.send("{}");
		late.beginMessage(128_000); // two seconds of both legs
		const long = await client({ query: { ...query, call: "long" } });
		long.send("{}");
		long.beginMessage(512 * kibibyte);
		t.equal(await long.closed(), 1006);
		t.equal(lane.opened.length, 0);

		late.endMessage();
		late.audio(new Uint8Array(64_000).fill(0x30), 6400);
		for (const leg of [await opened(1), await opened(2)])
			await until(() => leg.bytes >= 90_000);
		late.hangUp();
	},
);

t.test("a screen, which sends nothing, holds no long message", async (t) => {
	const caller = await client({ query: { lang_type: "en", call: "watched" } });
	caller.send("{}");
	const path = "/v1/calls/watched/ws";
	const screen = await eventually("the call's screen", () =>
		CallClient.open({ url, token, path }),
	);
	await screen.receive("call");
	screen.beginMessage(128 * kibibyte);
	t.equal(await screen.closed(), 1006);
	caller.hangUp();
});
