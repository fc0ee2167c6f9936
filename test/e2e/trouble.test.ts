import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { eventually } from "../fixtures/eventually.js";
import { LiveClient } from "../live/live-client.js";
import { RunningAppliance, repository } from "./running-appliance.js";
import { tinyModel } from "./tiny-model.js";

const run = promisify(execFile);
const package_ = join(repository, "models/whisper-base");
const manifest = JSON.parse(readFileSync(join(package_, "model.json"), "utf8"));
const speech = readFileSync(join(package_, manifest.probe.file));
const english = { lang_type: "en-US", format: "wav" };

t.test("a running appliance in trouble", async (t) => {
	const earshot = await RunningAppliance.start({
		...(await tinyModel()),
		EARSHOT_ENGINE_LIVE_SLOTS: "1",
		EARSHOT_ENGINE_QUEUE_MAX: "1",
		// on a busy machine nobody is to be refused for the time it takes
		EARSHOT_ENGINE_QUEUE_WAIT_SECONDS: "60",
		EARSHOT_SERVER_DRAIN_SECONDS: "120",
	});
	t.teardown(() => earshot.dispose());
	const stillRecognizes = async (t: Test) => {
		const answer = await earshot.recognize(english, speech);
		t.equal(answer.status, 200, "the next request works");
	};

	/** The one that asks is open as well. */
	const untilTwoAreOpen = () =>
		eventually(
			"a request to be open",
			async () => (await earshot.metric("earshot_http_requests_open")) >= 2,
		);

	t.test("an Opus bomb stops at `duration`", async (t) => {
		const folder = mkdtempSync(join(tmpdir(), "earshot-bomb-"));
		t.teardown(() => rmSync(folder, { recursive: true }));
		const bomb = join(folder, "bomb.ogg");
		await run("ffmpeg", [
			...["-v", "error", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono"],
			...["-t", "1200", "-c:a", "libopus", "-b:a", "500"],
			...["-frame_duration", "60", bomb],
		]);
		const answer = await earshot.recognize(
			{ lang_type: "en", format: "opus" },
			readFileSync(bomb),
		);
		t.equal(answer.status, 400);
		t.match(await answer.json(), { status: "200005", message: /60/ });
		await stillRecognizes(t);
	});

	t.test(
		"61 s of audio with `duration` 60 is refused, 59 s is not",
		async (t) => {
			const seconds = (n: number) => new Uint8Array(n * 32_000);
			const long = await earshot.recognize({ lang_type: "zh" }, seconds(61));
			t.equal(long.status, 400);
			t.match(await long.json(), { status: "200005" });
			const fits = await earshot.recognize({ lang_type: "zh" }, seconds(59));
			t.equal(fits.status, 200);
			t.match(await fits.json(), { status: "000000", data: { result: "" } });
		},
	);

	t.test(
		"text under the name of a WAV, and other lies, are refused",
		async (t) => {
			for (const format of ["wav", "mp3", "flac", "opus", "m4a", "amr"]) {
				const answer = await earshot.recognize(
					{ lang_type: "en", format },
					Buffer.from("this is no audio at all, only words ".repeat(100)),
				);
				t.equal(answer.status, 415, format);
				t.match(await answer.json(), { status: "200006" }, format);
			}
			await stillRecognizes(t);
		},
	);

	t.test(
		"a WAV that is cut off or claims 4 GB is heard as far as it goes",
		async (t) => {
			const cut = speech.subarray(0, Math.floor(speech.length * 0.8));
			t.equal((await earshot.recognize(english, cut)).status, 200);
			const claims = Buffer.from(speech);
			claims.writeUInt32LE(0xffff_fff0, 40);
			const answer = await earshot.recognize(english, claims);
			t.match(await answer.json(), {
				status: "000000",
				data: { result: /\w/ },
			});
		},
	);

	t.test(
		"a client that disappears mid-body leaves its slot free",
		async (t) => {
			const { hostname, port } = new URL(earshot.url);
			const socket = connect(Number(port), hostname);
			socket.write(
				`POST /v1/asr/api?lang_type=en HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${earshot.token}\r\nContent-Length: 320000\r\n\r\n`,
			);
			socket.write(Buffer.alloc(64_000));
			await untilTwoAreOpen();
			socket.destroy();
			await stillRecognizes(t);
		},
	);

	t.test("one too many is told so, with Retry-After", async (t) => {
		const { url, token } = earshot;
		const inSlot = await LiveClient.open(url, { token });
		inSlot.start({ connect_timeout: 60 });
		await inSlot.receive("RecognitionStarted");
		const answers: Response[] = [];
		const asked = Array.from({ length: 6 }, async () => {
			answers.push(await earshot.recognize(english, speech));
		});
		await eventually("all but the one that waits", () => answers.length === 5);
		for (const answer of answers) {
			t.equal(answer.status, 503);
			t.match(answer.headers.get("retry-after"), /^\d+$/);
			t.match(await answer.json(), { status: "100004" });
		}
		inSlot.stop();
		await Promise.all(asked);
		t.equal(answers.at(-1)?.status, 200, "whoever waited is served");
		await stillRecognizes(t);
	});

	t.test(
		"a killed engine: a new one answers, and the restart is counted",
		async (t) => {
			const before = await earshot.metric(
				'earshot_engine_restarts_total{lane="live"}',
			);
			const { stdout } = await run("pgrep", [
				...["-P", String(earshot.process.pid), "-f", "lane live"],
			]);
			const pending = earshot.recognize(english, speech);
			process.kill(Number(stdout.trim().split("\n")[0]), "SIGKILL");
			const answer = await pending;
			t.ok(
				[200, 500].includes(answer.status),
				`retried or told: ${answer.status}`,
			);
			await earshot.untilHealthy();
			await stillRecognizes(t);
			const after = await earshot.metric(
				'earshot_engine_restarts_total{lane="live"}',
			);
			t.equal(after, before + 1);
		},
	);

	t.test("SIGTERM lets a request under way finish", async (t) => {
		const half = Math.floor(speech.length / 2);
		const query = new URLSearchParams(english);
		const pending = request(`${earshot.url}/v1/asr/api?${query}`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${earshot.token}`,
				"content-length": speech.length,
			},
		});
		const answered = once(pending, "response");
		pending.write(speech.subarray(0, half));
		await untilTwoAreOpen();
		const stopped = earshot.stop();
		await eventually("it to stop", () =>
			earshot.log.some((it) => /"stopping"/.test(it)),
		);
		pending.end(speech.subarray(half));
		const [answer] = await answered;
		answer.resume();
		t.equal(answer.statusCode, 200);
		t.equal(await stopped, 0);
		t.notOk(
			existsSync(join(earshot.stateDir, "spool/live/x")),
			"nothing is left in the spool",
		);
	});
});
