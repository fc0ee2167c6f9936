/** Two legs of a call on a whole appliance, whose engine is killed while somebody speaks: one transcript with both, and its callback (docs/calls.md). */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { CallClient } from "../calls/call-client.js";
import { silence } from "../calls/running-calls.js";
import { eventually } from "../fixtures/eventually.js";
import { repository } from "./running-appliance.js";
import { sharedWithPorts } from "./shared-appliance.js";

const run = promisify(execFile);
const bytesPerSecond = 8000;

/** As a telephone hears it: mu-law at 8 kHz. */
async function overTelephone(clip: string): Promise<Uint8Array> {
	const path = join(repository, `test/clips/en-librivox-${clip}.wav`);
	const { stdout } = await run(
		"ffmpeg",
		["-v", "error", "-i", path, "-ar", "8000", "-f", "mulaw", "-"],
		{ encoding: "buffer", maxBuffer: 1e8 },
	);
	return stdout;
}

t.test("a call", async (t) => {
	const [question, answer] = [
		await overTelephone("0930"),
		await overTelephone("0880"),
	];
	const { appliance: earshot, callbacks } = await sharedWithPorts();
	const leg = async (leg: string) => {
		const client = await CallClient.open({
			url: earshot.url,
			token: earshot.token,
			query: { encoding: "mulaw", lang_type: "en", call: "e2e-1", leg },
		});
		client.send({ tenant: "anything" });
		return client;
	};
	// one after the other: the first to join is speaker 1
	const caller = await leg("caller");
	const agent = await leg("agent");
	const quiet = silence(bytesPerSecond * 1.5);

	await t.test("the caller speaks, the agent's line is silent", async (t) => {
		const busySlots = () =>
			earshot.metric('earshot_lane_slots_busy{lane="live"}');
		let isSpeaking = true;
		const speaking = Promise.all([
			caller.speak(Buffer.concat([question, quiet]), bytesPerSecond),
			agent.speak(silence(question.length), bytesPerSecond),
		]).finally(() => {
			isSpeaking = false;
		});
		let busiest = 0;
		for (; isSpeaking; await new Promise((next) => setTimeout(next, 200)))
			busiest = Math.max(busiest, await busySlots());
		await speaking;
		const result = await caller.receive("transcription");
		// a busy machine may not come to ask before all is said: its slot is still taken
		busiest = Math.max(busiest, await busySlots());
		t.equal(busiest, 1, "the silent leg holds no slot");
		t.match(result, { is_final: true, leg: "caller", channel: 1 });
	});

	await t.test("the engine is killed while the agent speaks", async (t) => {
		const speaking = agent.speak(
			Buffer.concat([answer, quiet]),
			bytesPerSecond,
		);
		await new Promise((resolve) => setTimeout(resolve, 1500));
		const { stdout } = await run("pgrep", [
			...["-P", String(earshot.process.pid), "-f", "lane live"],
		]);
		process.kill(Number(stdout.trim().split("\n")[0]), "SIGKILL");
		await speaking;
		await agent.receive("transcription");
		t.pass("its words are there");
	});

	await t.test("one transcript, by the callback and by its task", async (t) => {
		// by the module's last message, which is answered with the texts that are still to come
		for (const it of [caller, agent]) it.socket.send(new Uint8Array(0));
		for (const it of [caller, agent]) t.equal(await it.closed(), 1000);
		const { status, data } = await eventually("the callback", () =>
			callbacks.received
				.map(({ body }) => JSON.parse(body))
				.find((it) => it.data.call === "e2e-1"),
		);
		t.match({ status, call: data.call }, { status: "000000", call: "e2e-1" });
		const polled = await fetch(
			`${earshot.url}/v1/asrfile/result?task_id=${data.task_id}`,
		);
		t.same(((await polled.json()) as typeof data).data.result, data.result);
		const transcriptOf = (speaker: number) =>
			data.result
				.filter((it: { cluster_id: number }) => it.cluster_id === speaker)
				.map((it: { transcript: string }) => it.transcript)
				.join(" ");
		t.equal(transcriptOf(1), caller.finals.join(" "));
		t.equal(transcriptOf(2), agent.finals.join(" "));
	});
});
