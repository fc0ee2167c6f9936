/** The endpoints of calls with a lane that does as a test says; transcripts are really stored. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import type { Config } from "../../runtime/config/schema.js";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import { startApi } from "../api/running-api.js";
import { eventually, until } from "../fixtures/eventually.js";
import { runningTasks } from "../tasks/running-tasks.js";
import { CallClient, type CallWay } from "./call-client.js";

/** The loudest sound of mu-law, and none. */
export const loud = (bytes: number) =>
	Uint8Array.from({ length: bytes }, (_, at) => (at % 8 < 4 ? 0x80 : 0x00));
export const silence = (bytes: number) => new Uint8Array(bytes).fill(0xff);

export async function runningCalls(
	t: Test,
	changes: Partial<Config["calls"]> = {},
	overrides: Parameters<typeof startApi>[1] = {},
) {
	const dir = mkdtempSync(join(tmpdir(), "earshot-calls-"));
	t.teardown(() => rmSync(dir, { recursive: true, force: true }));
	const stored = await runningTasks(t, { dir });
	const { liveTasks } = stored;
	const transcripts: FileOptions[] = [];
	let addFailure: Error | undefined;
	const running = await startApi(t, {
		...overrides,
		// on a busy machine seconds pass between two lines of a test: that is no silence
		calls: { return_seconds: 0, silent_seconds: 600, ...changes },
		callTasks: {
			begin: (task) => {
				transcripts.push(task.options);
				return liveTasks.begin(task);
			},
			add: async (...given) => {
				const failure = addFailure;
				addFailure = undefined;
				if (failure) throw failure;
				await liveTasks.add(...given);
			},
			finish: (...given) => liveTasks.finish(...given),
		},
	});
	const { lane, url, token } = running;
	return {
		...running,
		stored,
		transcripts,
		/** The next utterance can't be stored. */
		failAdd: (error: Error) => {
			addFailure = error;
		},
		/** A connected client whose leg has begun to be recognized is in `lane.opened`. */
		client: (way: Partial<CallWay> = {}) => {
			lane.behaviour = {};
			return CallClient.open({ url, token, ...way });
		},
		opened: async (count: number) => {
			await until(() => lane.opened.length >= count);
			return lane.opened[count - 1] as (typeof lane.opened)[number];
		},
		transcript: async (taskId: unknown) => {
			const result = await eventually("the transcript", () =>
				stored.tasks.result(String(taskId)),
			);
			return [...result.segments()];
		},
	};
}

/** @param atMs from the first audio of its recognition. */
export function final(text: string, atMs: number, index = 1) {
	return {
		is: "final",
		utterance: {
			index,
			text,
			beginMs: atMs,
			endMs: atMs + 100,
			confidence: 0.90001,
			words: [],
		},
		audioMs: atMs + 100,
	} as const;
}
