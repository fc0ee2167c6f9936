/** The device's status, once a second while the page is seen, and the last hour of it: what the device has kept, then what this page saw. */
import { effect, signal } from "@preact/signals";
import type {
	DeviceStatus,
	MicrophoneLevels,
	StatusSample,
} from "../../../api/device/status.js";
import { apiUrl, data } from "../../app/api.js";
import { isIn } from "../../app/session.js";

export type Status = DeviceStatus;

/** One point of the chart. */
export interface Sample {
	/** Unix time, seconds. */
	readonly at: number;
	readonly load: number;
	/** 0 to 1 of all memory. */
	readonly memory: number;
	readonly lagMs: number;
}

const hourSeconds = 3600;

export const status = signal<Status | undefined>(undefined);
/** Of each channel of a microphone at this moment, dBFS. */
export const levels = signal<Readonly<Record<string, readonly number[]>>>({});
export const isLost = signal(false);
/** Of the device, since this page was opened: numbers of its log begin anew with each. */
export const runs = signal(0);
export const samples = signal<readonly Sample[]>([]);

effect(() => {
	if (isIn.value) return;
	// whoever signs in next may not be allowed to see it
	status.value = undefined;
	levels.value = {};
	samples.value = [];
});

const againMs = 3000;
/** A device that lost its power or its network ends no connection, and nothing tells the browser. */
const silentMsMax = 15_000;
/** Of samples that the device keeps, half of the time between them. */
const nearSeconds = 15;
/** By which the clock and the time since the start may differ from one status to the next. */
const sameStartSeconds = 5;
let startedSeconds: number | undefined;

/** What was while this page was not open. The chart goes without it where it can't be had. */
async function loadHistory(): Promise<void> {
	const kept = await data<readonly StatusSample[]>("v1/status/history").catch(
		() => [],
	);
	const seen = samples.value;
	const unseen = kept
		.filter(({ at }) => !seen.some((it) => Math.abs(it.at - at) < nearSeconds))
		.map(({ at, load, memory_used: memory, lag_ms: lagMs }) => ({
			at,
			load,
			memory,
			lagMs,
		}));
	samples.value = [...unseen, ...seen].sort((a, b) => a.at - b.at);
}

/**
 * A browser opens six connections to a device for all its tabs together: one that nobody sees leaves them to the others, or no page would open any more.
 * @returns a function that stops.
 */
export function follow(): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let source: EventSource | undefined;
	const whileSeen = () => {
		close();
		if (document.hidden) return;
		open();
		heard(); // of old figures it is said as soon if the device does not answer
	};
	document.addEventListener("visibilitychange", whileSeen);
	whileSeen();
	return () => {
		document.removeEventListener("visibilitychange", whileSeen);
		close();
	};

	function open(): void {
		const opened = openEvents(heard);
		source = opened;
		opened.onopen = () => {
			heard();
			void loadHistory();
		};
		opened.onerror = () => {
			isLost.value = true;
			clearTimeout(timer);
			// after a refusal, as of a device that is just starting, the browser does not try again by itself
			if (opened.readyState !== EventSource.CLOSED) return;
			// and an event stream doesn't say why it was refused: who is no longer signed in learns it here
			void data("v1/status").catch(() => {});
			timer = setTimeout(open, againMs);
		};
	}

	function close(): void {
		clearTimeout(timer);
		source?.close();
	}

	function heard(): void {
		clearTimeout(timer);
		timer = setTimeout(() => {
			isLost.value = true;
			close();
			open();
		}, silentMsMax);
	}
}

/** @param onEvent called for each one. */
function openEvents(onEvent: () => void): EventSource {
	const source = new EventSource(apiUrl("v1/status/events"), {
		withCredentials: true,
	});
	source.addEventListener("levels", (event: MessageEvent<string>) => {
		const now = JSON.parse(event.data) as readonly MicrophoneLevels[];
		levels.value = Object.fromEntries(
			now.map(({ id, levels_dbfs }) => [id, levels_dbfs]),
		);
	});
	source.onmessage = (event: MessageEvent<string>) => {
		onEvent();
		const now = JSON.parse(event.data) as Status;
		status.value = now;
		isLost.value = false;
		noticeRun(now);
		const { total_bytes, free_bytes } = now.memory;
		const sample = {
			at: now.at,
			load: now.processor.load,
			memory: 1 - free_bytes / total_bytes,
			lagMs: now.lag_ms,
		};
		samples.value = [
			...samples.value.filter(({ at }) => at > now.at - hourSeconds),
			sample,
		];
	};
	return source;
}

function noticeRun({ at, uptime_seconds }: Status): void {
	const started = at - uptime_seconds;
	const before = startedSeconds ?? started;
	startedSeconds = started;
	if (Math.abs(started - before) > sameStartSeconds) runs.value++;
}
