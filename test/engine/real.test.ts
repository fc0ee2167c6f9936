import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import {
	openSpoolFolder,
	removeFolder,
} from "../../runtime/engine/child/spool-folder.js";
import {
	engineSettings,
	thisProgram,
} from "../../runtime/engine/from-config.js";
import { engineHealth } from "../../runtime/engine/health.js";
import { localDevice } from "../../runtime/session/lane-port.js";
import { tinyModelSettings } from "../e2e/tiny-model.js";
import { eventually } from "../fixtures/eventually.js";
import { eventsOf, options, rejectsWith, textOf } from "./fake-lane.js";
import {
	missing,
	probeClip,
	realLane,
	skipped,
	transcribe,
} from "./real-lane.js";

const run = promisify(execFile);

const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) =>
		it.isFile(),
	);

t.test("the real engine", { skip: skipped }, async (t) => {
	const { bytes: clip, words } = probeClip();

	t.test(
		"transcribes its probe before it is ready, then requests",
		async (t) => {
			const { lane, supervisor, spool } = realLane(t);
			t.equal(engineHealth(lane.state).ok, false);
			await supervisor.engine();
			const { identity } = supervisor.state;
			t.comment(
				`ready after ${identity?.startMs} ms, probe ${identity?.probe.decodeMs} ms, ${Math.round((identity?.rssBytes ?? 0) / 1e6)} MB`,
			);
			t.same(missing(identity?.probe.text, words), []);
			t.equal(engineHealth(lane.state).ok, true);
			const since = performance.now();
			const events = await transcribe(lane, clip, { words: true });
			t.comment(`the clip took ${Math.round(performance.now() - since)} ms`);
			t.same(missing(textOf(events), words), []);
			const last = events.at(-1);
			if (last?.is !== "completed") throw new Error("no completed");
			t.ok(last.confidence > 0.3 && last.confidence <= 1);
			t.ok(last.words.length >= words.length);
			for (const word of last.words) {
				t.ok(word.startMs <= word.endMs && word.endMs <= last.audioMs);
			}

			t.test("any chunking of the audio gives the same text", async (t) => {
				const recognition = await lane.open(
					{
						...options,
						format: "wav",
						words: true,
					},
					localDevice,
				);
				for (let at = 0; at < clip.length; at += 977)
					recognition.write(clip.subarray(at, at + 977));
				recognition.finish();
				t.same(await eventsOf(recognition), events);
			});

			t.test("many at once all get the right text", async (t) => {
				const all = await Promise.all(
					Array.from({ length: 3 }, () => transcribe(lane, clip)),
				);
				for (const one of all) t.same(missing(textOf(one), words), []);
			});

			t.test("silence gives no words", async (t) => {
				const silence = await transcribe(lane, new Uint8Array(32_000), {
					format: "pcm",
				});
				t.equal(textOf(silence), "");
			});

			t.test(
				"bytes that are not audio are refused, and the next request is recognized",
				async (t) => {
					const noise = Buffer.from("not audio at all ".repeat(100));
					await rejectsWith(t, transcribe(lane, noise, { format: "mp3" }), {
						status: "200006",
					});
					await rejectsWith(t, transcribe(lane, new Uint8Array(0)), {
						status: "200007",
					});
					t.same(missing(textOf(await transcribe(lane, clip)), words), []);
				},
			);

			t.test(
				"audio past the duration is refused, or truncated where requested",
				async (t) => {
					const events = await transcribe(lane, clip, {
						durationSecondsMax: 1,
						completeAtDuration: true,
					});
					t.match(events.at(-1), { why: "duration" });
					const refused = transcribe(lane, clip, { durationSecondsMax: 1 });
					await rejectsWith(t, refused, { status: "200005" });
				},
			);

			t.test(
				"Japanese readings are returned, with numbers in either form",
				async (t) => {
					const meeting = readFileSync("test/clips/ja-kokoro-meeting.wav");
					for (const inverseTextNormalization of [true, false]) {
						const events = await transcribe(lane, meeting, {
							language: "ja-JP",
							punctuation: true,
							inverseTextNormalization,
							spoken: true,
						});
						const last = events.at(-1);
						if (last?.is !== "completed") throw new Error("no completed");
						t.match(
							last.text,
							inverseTextNormalization ? "午後3時" : "午後三時",
						);
						t.match(last.spoken, "カイギハゴゴサンジカラハジマリマス。");
					}
				},
			);

			t.test("containers are decoded and leave no file", async (t) => {
				const folder = t.testdir();
				writeFileSync(join(folder, "clip.wav"), clip);
				for (const format of ["m4a", "flac", "mp3"] as const) {
					const path = join(folder, `clip.${format}`);
					try {
						await run("ffmpeg", [
							"-v",
							"error",
							"-i",
							join(folder, "clip.wav"),
							path,
						]);
					} catch {
						t.comment(`skipped ${format}: ffmpeg can't make it here`);
						continue;
					}
					const events = await transcribe(lane, readFileSync(path), { format });
					t.same(missing(textOf(events), words), [], format);
				}
				t.same(filesIn(spool), []);
			});

			t.test(
				"a killed engine's request is answered by the next one",
				async (t) => {
					const first = await supervisor.engine();
					const transcription = transcribe(lane, clip);
					const since = performance.now();
					process.kill(first.pid as number, "SIGKILL");
					t.same(missing(textOf(await transcription), words), []);
					t.comment(
						`answered ${Math.round(performance.now() - since)} ms after the kill`,
					);
					t.equal(lane.state.deaths, 1);
					t.not((await supervisor.engine()).pid, first.pid);
				},
			);

			t.test("a client that leaves frees the engine", async (t) => {
				const recognition = await lane.open(
					{ ...options, format: "wav" },
					localDevice,
				);
				for (let i = 0; i < 20; i++) recognition.write(clip);
				recognition.cancel();
				const since = performance.now();
				t.same(missing(textOf(await transcribe(lane, clip)), words), []);
				t.comment(`the next took ${Math.round(performance.now() - since)} ms`);
				t.equal(lane.state.busy, 0);
			});
		},
	);

	t.test(
		"the batch engine has a lower priority, starts when needed, stops when idle",
		async (t) => {
			const { lane, supervisor } = realLane(t, "batch", [
				...(await tinyModelSettings()),
				"engine.batch_idle_seconds=1",
				"engine.batch_niceness=10",
			]);
			t.equal(supervisor.state.phase, "down");
			t.not(textOf(await transcribe(lane, clip)), "");
			const engine = await supervisor.engine();
			t.equal(getPriority(engine.pid as number), 10);
			await engine.exited;
			t.equal(supervisor.state.deaths, 0);
			t.equal(supervisor.state.phase, "down");
		},
	);

	t.test("files left behind by a killed engine are removed", async (t) => {
		const { supervisor, spool } = realLane(
			t,
			"live",
			await tinyModelSettings(),
		);
		const first = await supervisor.engine();
		const [folder = ""] = readdirSync(spool);
		t.match(folder, new RegExp(`^${first.pid}-`));
		writeFileSync(join(spool, folder, "in-use"), "x");
		const own = await openSpoolFolder(spool);
		t.equal(filesIn(spool).length, 1, "one that takes over leaves it alone");
		await removeFolder(own);
		process.kill(first.pid as number, "SIGKILL");
		await first.exited;
		const second = await supervisor.engine();
		t.equal(readdirSync(spool).length, 1);
		t.same(filesIn(spool), []);
		await supervisor.stop(60_000); // a killed engine could not clean up
		await second.exited;
		t.same(readdirSync(spool), [], "it takes its folder with it");
	});

	t.test("an engine whose parent is killed exits", async (t) => {
		const { config } = realLane(t, "live", await tinyModelSettings());
		const parent = spawn(
			process.execPath,
			[
				fileURLToPath(new URL("../fixtures/lonely-parent.js", import.meta.url)),
				JSON.stringify(engineSettings("live", config)),
				...thisProgram("live").args,
			],
			{ stdio: ["ignore", "pipe", "inherit"] },
		);
		const [line] = await new Promise<Buffer[]>((resolve) =>
			parent.stdout.once("data", (...data: Buffer[]) => resolve(data)),
		);
		const pid = Number(String(line));
		t.ok(isAlive(pid));
		parent.kill("SIGKILL");
		await eventually(`${pid} to go`, () => !isAlive(pid));
		t.pass("it is gone");
	});
});

t.test("an engine without a model reports that", async (t) => {
	const { supervisor, complaints } = realLane(t, "live", [
		"model.name=not-there",
		"engine.queue_wait_seconds=0",
	]);
	const engine = supervisor;
	engine.start();
	await eventually("its death", () => engine.state.deaths > 0, {
		seen: () => engine.state,
	});
	t.match(engine.state.lastDeath, /not-there/);
	t.match(complaints[0], /not-there/);
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
