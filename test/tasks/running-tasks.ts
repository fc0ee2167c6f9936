/** Tasks with the real store, shelf and outbound requests, on engines without models. The audio of an upload is a script (fixtures/fake-jobs.ts). */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Test } from "tap";
import type { Clock } from "../../runtime/clock/clock.js";
import type { JobLane } from "../../runtime/engine/remote-job.js";
import { Outbound } from "../../runtime/outbound/outbound.js";
import type { Owner } from "../../runtime/owner.js";
import type { ListReferences } from "../../runtime/session/options.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { Database } from "../../runtime/store/database.js";
import { isUnfinished, type TaskRow } from "../../runtime/store/tasks.js";
import type { CallbackTransport } from "../../runtime/tasks/callback-transport.js";
import { Callbacks } from "../../runtime/tasks/callbacks.js";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import { LiveTasks } from "../../runtime/tasks/live-tasks.js";
import type { ResultKeywordSource } from "../../runtime/tasks/result/parts.js";
import type { TaskView } from "../../runtime/tasks/task-service.js";
import { openTaskStore } from "../../runtime/tasks/task-store.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import type {
	ReferredWords,
	WordSource,
} from "../../runtime/word-lists/references.js";
import { plainClock } from "../clock/plain-clock.js";
import {
	type FakeLaneOptions,
	fakeLane,
	listeningLog,
} from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import type { Script } from "../fixtures/fake-jobs.js";
import { patientOutbound } from "../outbound/places.js";
import { plainOptions } from "./plain-options.js";

export interface Changes {
	readonly fake?: FakeLaneOptions;
	readonly lane?: JobLane;
	readonly slots?: number;
	readonly queueMax?: number;
	readonly secret?: string;
	/** Outbound requests; by default real ones that may reach this machine. */
	readonly transport?: CallbackTransport;
	/** The state directory; for a second start. */
	readonly dir?: string;
	/** Replaces the correct one. */
	readonly clock?: Clock;
	readonly find?: (options: FileOptions) => ReferredWords;
	/** Instead of `find`. */
	readonly words?: WordSource;
	readonly onWaiting?: (ids: readonly string[]) => void;
	/** Instead of none. */
	readonly keywords?: ResultKeywordSource;
	/** Of the database's disk. */
	readonly freeBytes?: () => number;
}

const real = new Outbound({ allow: ["127.0.0.1"], ownPort: () => undefined });

/** Callbacks that wait for their answer as long as the test takes. */
export const patient: CallbackTransport = patientOutbound(real);

let ids = 0;

export async function runningTasks(t: Test, changes: Changes = {}) {
	const dir = changes.dir ?? t.testdir();
	const { freeBytes } = changes;
	const database = Database.open(
		join(dir, "store.mdb"),
		freeBytes ? { freeBytes } : {},
	);
	const store = openTaskStore(database);
	const audio = await AudioShelf.open(join(dir, "audio"), {
		bytesMax: 1e9,
		reserveBytes: 0,
	});
	const { lane, supervisor } = fakeLane(t, changes.fake);
	const clock = { seconds: 1_700_000_000 };
	const steady = plainClock(() => clock.seconds);
	const timeText = (seconds: number) => `time ${seconds}`;
	const held: ListReferences[] = [];
	const find = changes.find ?? (() => ({}));
	const complaints: string[] = [];
	const log = listeningLog(({ level, message, fields }) => {
		if (level === "error") complaints.push(message);
		if (process.env.SHOW) console.error(level, message, fields);
	});
	const running = {
		store,
		lane: changes.lane ?? lane,
		audio,
		words: changes.words ?? {
			resolve: find,
			resolveAccepted: (options: FileOptions) => ({
				words: find(options),
				notes: [],
			}),
			hold: () => () => {},
			holdNamed: (references: ListReferences) => {
				held.push(references);
				return () => held.splice(held.indexOf(references), 1);
			},
		},
		keywords: changes.keywords ?? { find: async () => [] },
		clock: changes.clock ?? steady,
		timeText,
		log,
		onFinished: ({ id }: TaskRow) => callbacks.onTaskChanged(id),
	};
	const liveTasks = new LiveTasks(running);
	const tasks: Tasks = new Tasks({
		...running,
		live: liveTasks,
		slots: changes.slots ?? 1,
		queueMax: changes.queueMax ?? 1000,
		onWaiting: changes.onWaiting ?? (() => {}),
		onRemoved: (id) => callbacks.onTaskChanged(id),
	});
	const callbacks = new Callbacks({
		outbox: store.outbox,
		tasks: tasks,
		transport: changes.transport ?? real,
		secret: changes.secret ?? "",
		clock: changes.clock ?? steady,
		timeText,
		log,
	});
	let isOpen = true;
	const close = async () => {
		if (!isOpen) return;
		isOpen = false;
		await tasks.stop();
		await liveTasks.stop();
		await callbacks.stop();
		await supervisor.stop(0);
		await database.close();
	};
	t.teardown(close);
	await tasks.start();
	await callbacks.start();
	liveTasks.start();

	const submitAudio = async (
		bytes: Uint8Array,
		audioMs: number,
		options: Partial<FileOptions> = {},
		owner: Owner = "token:kiosk",
	): Promise<string> => {
		const draft = await audio.begin();
		await draft.append(bytes);
		await draft.commit();
		const id = `task-${String(++ids).padStart(22, "0")}`;
		await tasks.submit({
			id,
			owner,
			fileName: "meeting.wav",
			audioId: draft.id,
			audioMs,
			options: { ...plainOptions, ...options },
		});
		draft.settle();
		return id;
	};
	const submit = (
		script: Script | string[],
		options: Partial<FileOptions> = {},
		owner?: Owner,
	): Promise<string> => {
		const whole = Array.isArray(script) ? { sentences: script } : script;
		const bytes = Buffer.from(JSON.stringify(whole));
		return submitAudio(bytes, whole.sentences.length * 1000, options, owner);
	};
	/** Resolves with the finished task. */
	const finished = async (id: string): Promise<TaskView> => {
		const check = () => {
			const view = tasks.find(id);
			return view === undefined || !isUnfinished(view.state)
				? { view }
				: undefined;
		};
		const { view } = await eventually(`${id} to be finished`, check, {
			seen: () => tasks.find(id),
		});
		if (!view) throw new Error(`${id} is gone`);
		return view;
	};
	/** A sentence that is not recognized before its gate is opened. */
	const gate = (name = "gate") => {
		const path = join(dir, name);
		return {
			sentence: `until ${path}`,
			open: () => writeFileSync(path, ""),
		};
	};
	const textsOf = (id: string) =>
		[...(tasks.result(id)?.segments() ?? [])].map((it) =>
			it.transcript.replace(/\.$/, ""),
		);
	return {
		tasks,
		liveTasks,
		callbacks,
		store,
		audio,
		supervisor,
		clock,
		held,
		dir,
		database,
		submit,
		submitAudio,
		finished,
		gate,
		textsOf,
		close,
		complaints,
	};
}

export interface Received {
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
}

/** Receives callbacks. @param statuses answered one after the other; the last one is repeated. */
export async function receiver(
	t: { teardown(end: () => unknown): unknown },
	statuses: readonly number[] = [200],
) {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		let body = "";
		request.on("data", (bytes: Buffer) => {
			body += bytes.toString();
		});
		request.on("end", () => {
			const turn = Math.min(received.length, statuses.length - 1);
			received.push({ headers: request.headers, body });
			const status = statuses[turn] ?? 200;
			response.writeHead(status, status === 302 ? { location: "/other" } : {});
			response.end();
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => server.close());
	const { port } = server.address() as AddressInfo;
	const count = async (times: number) => {
		await eventually(`${times} calls`, () => received.length >= times, {
			seen: () => received,
		});
		return received;
	};
	return { url: `http://127.0.0.1:${port}/done`, received, count };
}
