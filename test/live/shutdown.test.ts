import { existsSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { RunningAppliance, repository } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { eventually } from "../fixtures/eventually.js";
import { LiveClient } from "./live-client.js";

const skip = existsSync(join(repository, "models/whisper-base/model.json"))
	? false
	: "no model";

t.test(
	"SIGTERM sends every session an error before its socket closes, and the process ends",
	{ skip },
	async (t) => {
		const earshot = await RunningAppliance.start({
			...(await tinyModel()),
			// what it takes to hear a second to its end, on a machine that is busy with other tests
			EARSHOT_SERVER_DRAIN_SECONDS: "8",
		});
		t.teardown(() => earshot.dispose());
		const { url, token } = earshot;
		const open = () => LiveClient.open(url, { token });
		const [waiting, streaming, endless, ending] = await Promise.all([
			open(),
			open(),
			open(),
			open(),
		]);
		streaming.start();
		endless.transcribe();
		ending.start();
		await streaming.receive("RecognitionStarted");
		await endless.receive("TranscriptionStarted");
		await ending.receive("RecognitionStarted");
		for (const client of [streaming, endless, ending])
			client.audio(new Uint8Array(32_000));
		const stopped = earshot.stop();
		ending.stop();
		await ending.receive("RecognitionCompleted");
		t.equal(await ending.closed, 1000, "what has its end in sight gets there");
		for (const client of [waiting, streaming, endless]) {
			t.match((await client.receive("TaskFailed")).header, {
				status: "100004",
				status_text: /stopping/,
			});
			t.equal(await client.closed, 1013);
		}
		t.equal(await stopped, 0);
	},
);

t.test(
	"a second signal ends a stop that waits for a client",
	{ skip },
	async (t) => {
		const earshot = await RunningAppliance.start({
			...(await tinyModel()),
			EARSHOT_SERVER_DRAIN_SECONDS: "600",
		});
		t.teardown(() => earshot.dispose());
		const client = await LiveClient.open(earshot.url, {
			token: earshot.token,
		});
		client.transcribe();
		await client.receive("TranscriptionStarted");
		const stopped = earshot.stop();
		await eventually("it to stop", () =>
			earshot.log.some((it) => /"stopping"/.test(it)),
		);
		earshot.process.kill("SIGTERM");
		t.equal(await stopped, 1);
	},
);
