import { existsSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { RunningAppliance, repository } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { LiveClient } from "./live-client.js";

const skip = existsSync(join(repository, "models/whisper-base/model.json"))
	? false
	: "no model";

/** The longest time without audio. */
const patient = { connect_timeout: 60 };

async function running(t: Test, drainSeconds: number) {
	const earshot = await RunningAppliance.start({
		...(await tinyModel()),
		EARSHOT_SERVER_DRAIN_SECONDS: String(drainSeconds),
		EARSHOT_LIMITS_STREAM_START_SECONDS: "600", // one of the clients says nothing
	});
	t.teardown(() => earshot.dispose());
	const { url, token } = earshot;
	return { earshot, open: () => LiveClient.open(url, { token }) };
}

/** The server's error, before its socket closes. */
async function refuses(t: Test, client: LiveClient): Promise<void> {
	t.match((await client.receive("TaskFailed")).header, {
		status: "100004",
		status_text: /stopping/,
	});
	t.equal(await client.closed, 1013);
}

t.test(
	"SIGTERM ends at once what has no end in sight, waits for what has, and a second one waits no longer",
	{ skip },
	async (t) => {
		// only an end lets the stop go on, however long that takes on a busy machine
		const { earshot, open } = await running(t, 600);
		const [waiting, streaming, endless, ending] = await Promise.all([
			open(),
			open(),
			open(),
			open(),
		]);
		streaming.start(patient);
		endless.transcribe(patient);
		ending.start(patient);
		await streaming.receive("RecognitionStarted");
		await endless.receive("TranscriptionStarted");
		await ending.receive("RecognitionStarted");
		for (const client of [streaming, endless, ending])
			client.audio(new Uint8Array(32_000));
		const stopped = earshot.stop();
		for (const client of [waiting, endless]) await refuses(t, client);
		ending.stop();
		await ending.receive("RecognitionCompleted");
		t.equal(await ending.closed, 1000, "what has its end in sight gets there");
		t.notOk(streaming.names.includes("TaskFailed"), "it may still end");
		earshot.process.kill("SIGTERM");
		t.equal(await stopped, 1);
	},
);

t.test(
	"after that time every session gets an error, and the process ends",
	{ skip },
	async (t) => {
		const { earshot, open } = await running(t, 1);
		const client = await open();
		client.start(patient);
		await client.receive("RecognitionStarted");
		const stopped = earshot.stop();
		await refuses(t, client);
		t.equal(await stopped, 0);
	},
);
