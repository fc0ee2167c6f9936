/** `earshot tasks list|show|cancel`: the state of file transcriptions; works beside a running server. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { CallbackRow } from "../store/callbacks.js";
import type { Store } from "../store/open-store.js";
import type { TaskRow } from "../store/tasks.js";
import { openTaskStore, type TaskStore } from "../tasks/task-store.js";
import { timeText } from "./duration.js";
import { withStore } from "./store-visit.js";
import { listing, printable } from "./table.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

/** How long a server may take to remove a task. */
const removalMsMax = 10_000;
const pollMs = 100;
/** Length of ids in the log (short-ids.ts); a shorter one might match another task by mistake. */
const beginningCharactersMin = 8;
const taskIdHelp = "its id, or the beginning shown in the log";

export function tasksCommand(): Command {
	const tasks = verb("tasks", "list, show and cancel transcriptions of files");
	tasks
		.command("list")
		.description("every task, newest first")
		.option("--json", "as JSON")
		.action(action(list));
	tasks
		.command("show")
		.description(
			"everything known about a task, including each attempt of its callback",
		)
		.argument("<task-id>", taskIdHelp)
		.option("--json", "as JSON")
		.action(action(show));
	tasks
		.command("cancel")
		.description("cancel a task, or remove a finished one with its transcript")
		.argument("<task-id>", taskIdHelp)
		.action(action(cancel));
	return tasks;
}

async function list(
	options: { json?: boolean },
	command: Command,
): Promise<void> {
	await visit(command, (store) => {
		const rows = [...store.tasks.list()]
			.reverse()
			.map((row) => shownRow(row, store));
		print(
			listing(
				["id", "state", "file", "owner", "uploaded", "progress", "callback"],
				rows,
				options.json,
			),
		);
	});
}

async function show(
	idOrBeginning: string,
	options: { json?: boolean },
	command: Command,
): Promise<void> {
	await visit(command, (store) => {
		const row = findTask(store, idOrBeginning);
		const about = {
			...shownRow(row, store),
			audio: `${(row.audioMs / 1000).toFixed(1)} s`,
			begun: timeOrNothing(row.processSeconds),
			finished: timeOrNothing(row.finishSeconds),
			...(row.failure && { reason: row.failure.message }),
			notes: row.notes,
			tries: triesOf(store.outbox.find(row.id)),
		};
		print(options.json ? JSON.stringify(about, null, 2) : linesOf(about));
	});
}

async function cancel(
	idOrBeginning: string,
	_options: object,
	command: Command,
): Promise<void> {
	await visit(command, async (store, { database }, nowSeconds) => {
		const { id } = findTask(store, idOrBeginning);
		await store.removalRequests.put(id, nowSeconds);
		const untilMs = performance.now() + removalMsMax;
		while (performance.now() < untilMs) {
			if (!openTaskStore(database).tasks.find(id)) {
				print("removed");
				return;
			}
			await sleep(pollMs);
		}
		print("requested: the task is removed once the server runs");
	});
}

function visit(
	command: Command,
	act: (
		tasks: TaskStore,
		store: Store,
		nowSeconds: number,
	) => Promise<void> | void,
): Promise<void> {
	const { dir } = configFor(command).values.state;
	return withStore(dir, (store, nowSeconds) =>
		act(openTaskStore(store.database), store, nowSeconds),
	);
}

/** Finds a task by its id, or by the beginning shown in the log. */
function findTask({ tasks }: TaskStore, idOrBeginning: string): TaskRow {
	const whole = tasks.find(idOrBeginning);
	if (whole) return whole;
	const found = [...tasks.list()].filter(
		({ id }) =>
			idOrBeginning.length >= beginningCharactersMin &&
			id.startsWith(idOrBeginning),
	);
	const [row] = found;
	if (found.length > 1)
		throw new UsageError(
			`${found.length} tasks begin with ${idOrBeginning}: give more of the id`,
		);
	if (!row)
		throw new UsageError(
			`there is no task ${idOrBeginning} (give its id, or at least the first ${beginningCharactersMin} characters)`,
		);
	return row;
}

function shownRow(row: TaskRow, { work, outbox }: TaskStore) {
	const progress =
		row.state === "completed" ? 100 : (work.get(row.id)?.progress ?? 0);
	return {
		id: row.id,
		state: row.state === "processing" ? "transcribing" : row.state,
		file: printable(row.fileName),
		owner: row.owner,
		uploaded: timeText(row.insertSeconds),
		progress: `${progress} %`,
		callback: callbackText(outbox.find(row.id)),
	};
}

function callbackText(callback: CallbackRow | undefined): string {
	if (!callback) return "";
	const { state, tries, dueSeconds } = callback;
	if (state !== "waiting" || tries.length === 0) return state;
	return `tried ${tries.length} times, again at ${timeText(dueSeconds)}`;
}

function triesOf(callback: CallbackRow | undefined) {
	return (callback?.tries ?? []).map(({ atSeconds, tookMs, http, why }) => ({
		at: timeText(atSeconds),
		took: `${tookMs} ms`,
		answer: http === undefined ? "none" : String(http),
		...(why !== undefined && { why }),
	}));
}

function timeOrNothing(seconds: number | undefined): string {
	return seconds === undefined ? "" : timeText(seconds);
}

function linesOf(about: Readonly<Record<string, unknown>>): string {
	const lines: string[] = [];
	for (const [name, value] of Object.entries(about)) {
		const values = Array.isArray(value) ? value : [value];
		for (const one of values)
			if (one !== "") lines.push(`${name.padEnd(10)}${textOf(one)}`);
	}
	return lines.join("\n");
}

function textOf(value: unknown): string {
	return typeof value === "object" && value !== null
		? Object.values(value).join("  ")
		: String(value);
}
