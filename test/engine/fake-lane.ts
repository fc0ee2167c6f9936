/**
 * A lane on fake engine processes, with the deadlines that a test sets, and what tests need to inspect it.
 */
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { EngineLane } from "../../runtime/engine/lane.js";
import type { EngineSettings } from "../../runtime/engine/protocol.js";
import {
	EngineSupervisor,
	type SupervisorLimits,
} from "../../runtime/engine/supervisor.js";
import type { SupervisorState } from "../../runtime/engine/supervisor-state.js";
import type { LogPort } from "../../runtime/log/log-port.js";
import type { WorkerCommand } from "../../runtime/process/worker-process.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { Recognition } from "../../runtime/session/lane-port.js";
import {
	defaultSwitches,
	type RecognitionOptions,
} from "../../runtime/session/options.js";
import { conditionOf, eventually } from "../fixtures/eventually.js";

const fakeEngine = fileURLToPath(
	new URL("../fixtures/fake-engine.js", import.meta.url),
);

export const options: RecognitionOptions = {
	language: "en-US",
	format: "pcm",
	sampleRateHz: 16000,
	gain: 1,
	durationSecondsMax: 60,
	maxSentenceSilenceMs: 800,
	...defaultSwitches,
	partials: false,
};

export const settings: EngineSettings = {
	lane: "live",
	modelFolder: "",
	voiceActivityFolder: "",
	speakerFolder: "",
	threads: 1,
	processor: "cpu",
	recognizers: 1,
	beam: 5,
	spoolFolder: "",
	spoolBytesMax: 1,
	verify: false,
	niceness: 0,
	idleOnly: false,
};

/** What a test does not set itself no machine reaches, however busy it is. */
const patientMs = 240_000;

export interface LogLine {
	readonly level: string;
	readonly message: string;
	readonly fields: object;
}

export function listeningLog(onLine: (line: LogLine) => void): LogPort {
	const at = (level: string) => (fields: object, message: string) =>
		onLine({ level, message, fields });
	return {
		debug: at("debug"),
		info: at("info"),
		warn: at("warn"),
		error: at("error"),
	};
}

export interface FakeLaneOptions {
	/** Of another program than the fake engine. */
	readonly command?: Pick<WorkerCommand, "file" | "args">;
	readonly environment?: Record<string, string>;
	readonly limits?: Partial<SupervisorLimits>;
	readonly slots?: number;
	readonly queueMax?: number;
	readonly queueMsMax?: number;
	readonly retryBytesMax?: number;
	readonly answerMsMax?: number;
	readonly shareMax?: number;
}

export function fakeLane(t: Test, fake: FakeLaneOptions = {}) {
	const lines: LogLine[] = [];
	const supervisor = new EngineSupervisor(
		{
			...(fake.command ?? { file: process.execPath, args: [fakeEngine] }),
			environment: fake.environment ?? {},
		},
		settings,
		{
			readyMsMax: patientMs,
			pingMs: 20,
			pingMsMax: patientMs,
			drainMsMax: patientMs,
			rssBytesMax: 1_000_000,
			usedMsMin: 0,
			waitMsMax: 50_000, // nobody waits for so long a pause
			backOffMs: 60_000,
			...fake.limits,
		},
		listeningLog((line) => {
			lines.push(line);
		}),
	);
	const lane = new EngineLane(supervisor, {
		slots: fake.slots ?? 2,
		queueMax: fake.queueMax ?? 1,
		queueMsMax: fake.queueMsMax ?? patientMs,
		retryBytesMax: fake.retryBytesMax ?? 1000,
		answerMsMax: fake.answerMsMax ?? patientMs,
		shareMax: fake.shareMax ?? 0.75,
	});
	t.teardown(() => supervisor.stop(0));
	/** Settles when a log line with this message has been written, before or after the call. */
	const logged = async (message: string, times = 1): Promise<void> => {
		const count = () => lines.filter((it) => it.message === message).length;
		await eventually(`"${message}" in the log`, () => count() >= times, {
			seen: () => lines.slice(-20),
		});
	};
	/** Settles when the state matches, checked in every turn of the timers. */
	const state = async (
		is: (state: SupervisorState) => boolean,
	): Promise<void> => {
		await eventually(conditionOf(is), () => is(supervisor.state), {
			seen: () => supervisor.state,
		});
	};
	return { supervisor, lane, lines, logged, state };
}

/** Writes commands to a fake engine. */
export function order(recognition: Recognition, ...commands: string[]): void {
	for (const command of commands) recognition.write(Buffer.from(command));
}

export async function eventsOf(
	recognition: Recognition,
): Promise<SessionEvent[]> {
	const events: SessionEvent[] = [];
	for await (const event of recognition.events) events.push(event);
	return events;
}

export function textOf(events: readonly SessionEvent[]): string | undefined {
	const last = events.at(-1);
	return last?.is === "completed" ? last.text : undefined;
}

/** The error's fields, whatever its class. */
export async function rejectsWith(
	t: Test,
	promise: Promise<unknown>,
	fields: object,
): Promise<void> {
	const error = await promise.then(
		() => undefined,
		(thrown) => thrown,
	);
	t.match(error, fields);
}
