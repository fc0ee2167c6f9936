/** The level of the microphone before anything is said: nothing of it is sent or kept. */
import { signal } from "@preact/signals";
import { type Capture, startCapture } from "../../audio/capture.js";
import { LevelWatch, noLevel } from "../../audio/level-watch.js";
import { deviceId, devices, level, phase, trouble } from "./live-model.js";
import { troubleOf } from "./refused.js";

export const isChecking = signal(false);
let opened: Promise<Capture> | undefined;

export async function check(): Promise<void> {
	if (phase.value !== "idle" || isChecking.value) return;
	isChecking.value = true;
	trouble.value = undefined;
	const watch = new LevelWatch();
	const mine = startCapture(
		deviceId.value,
		({ peak }) => {
			if (opened === mine) level.value = watch.next(peak, performance.now());
		},
		() => {
			if (opened !== mine) return;
			trouble.value = { is: "gone", why: "" };
			void endCheck();
		},
	);
	opened = mine;
	try {
		devices.value = (await mine).devices;
	} catch (thrown) {
		if (opened !== mine) return;
		trouble.value = troubleOf(thrown);
		await endCheck();
	}
}

/** Resolves when the microphone is free again. */
export async function endCheck(): Promise<void> {
	const mine = opened;
	if (!mine) return;
	opened = undefined;
	isChecking.value = false;
	level.value = noLevel;
	await mine.then(
		(capture) => capture.stop(),
		() => {},
	);
}
