/** The device's status, once a second while the page is open, and the last hour of it. */
import { signal } from "@preact/signals";
import type { DeviceStatus } from "../../../api/device/status.js";
import { apiUrl } from "../../app/api.js";

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
export const isLost = signal(false);
export const samples = signal<readonly Sample[]>([]);

/** @returns a function that stops. */
export function follow(): () => void {
	const source = new EventSource(apiUrl("v1/status/events"), {
		withCredentials: true,
	});
	source.onmessage = ({ data }: MessageEvent<string>) => {
		const now = JSON.parse(data) as Status;
		status.value = now;
		isLost.value = false;
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
	source.onerror = () => {
		isLost.value = true;
	};
	return () => source.close();
}
