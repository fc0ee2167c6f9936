/** An agent's screen watches a call: both legs, what was said before, and its end (docs/calls.md). */
import t from "tap";
import { until } from "../fixtures/eventually.js";
import { CallClient } from "./call-client.js";
import { final, loud, runningCalls } from "./running-calls.js";

const calls = await runningCalls(t);
const { lane, client, opened, url, token } = calls;

t.test("both legs of a call on one screen", async (t) => {
	const query = { encoding: "mulaw", lang_type: "en", call: "sip:1@pbx" };
	const caller = await client({ query: { ...query, leg: "caller" } });
	caller.audio(loud(4000));
	const first = await opened(1);
	await until(() => first.bytes >= 2700);
	first.emit(final("Before.", 0));
	await caller.receive("transcription");

	const path = `/v1/calls/${encodeURIComponent("sip:1@pbx")}/ws`;
	const screen = await CallClient.open({ url, token, path });
	const call = await screen.receive("call");
	t.match(call, { call: "sip:1@pbx", legs: [{ leg: "caller", channel: 1 }] });
	t.match(await screen.receive("transcription"), {
		alternatives: [{ transcript: "Before." }],
	});
	const agent = await client({ query: { ...query, leg: "agent" } });
	agent.audio(loud(4000));
	t.match(await screen.receive("leg"), { event: "joined", leg: "agent" });
	const second = await opened(2);
	await until(() => second.bytes >= 2700);
	second.emit(final("After.", 0));
	t.match(await screen.receive("transcription", 2), {
		alternatives: [{ transcript: "After." }],
		channel: 2,
		leg: "agent",
	});
	const nobody = await calls.makeToken(["asr"], 3600, "nobody");
	await t.rejects(CallClient.open({ url, token: nobody, path }), /404/);
	await t.rejects(CallClient.open({ url, path }), /401/);
	const admin = await calls.makeToken(["admin"], 3600, "boss");
	(await CallClient.open({ url, token: admin, path })).hangUp();
	caller.hangUp();
	agent.hangUp();
	t.match(await screen.receive("end"), { task_id: call.task_id });
	t.equal(await screen.closed(), 1000);
	await t.rejects(CallClient.open({ url, token, path }), /404/);
	t.equal(lane.held, 0);
});

t.test("a screen goes dark when its token is revoked", async (t) => {
	const query = { encoding: "mulaw", lang_type: "en", call: "another" };
	const caller = await client({ query });
	caller.audio(loud(4000));
	await opened(3);
	const leaving = await calls.makeToken(["admin"], 3600, "leaving");
	const path = "/v1/calls/another/ws";
	const screen = await CallClient.open({ url, token: leaving, path });
	await screen.receive("call");
	await calls.store.tokens.revoke("leaving", Date.now() / 1000);
	t.match(await screen.receive("error"), { status: "110002" });
	t.equal(await screen.closed(), 1008);
	caller.hangUp();
});
