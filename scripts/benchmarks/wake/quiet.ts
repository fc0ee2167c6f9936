/** What a microphone in a quiet room costs, through a whole appliance in this process: with wake words, and without. One channel. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Appliance } from "../../../runtime/appliance.js";
import { installFolder } from "../../../runtime/models/package/install.js";
import { linkPackages } from "../linked-packages.js";
import {
	openAppliance,
	processTimes,
	quietRoom,
	useAsCard,
} from "../microphones/own-appliance.js";
import { sampleRateHz } from "../wav.js";

const settleMs = 8000;
const secondEarName = "zipformer-zh-ear";

/** @returns shares of a core: main, engine, capture. */
export async function measureQuiet(
	published: string,
	wakeWords: readonly string[],
	seconds: number,
): Promise<readonly number[]> {
	const folder = mkdtempSync(join(tmpdir(), "earshot-wake-bench-"));
	const models = join(folder, "models");
	linkPackages(models, ["whisper-base", "silero-vad"]);
	await installFolder(published, {
		directory: models,
		name: secondEarName,
		kind: "second-ear",
	});
	useAsCard(folder, quietRoom((seconds + 20) * sampleRateHz));
	const appliance = await openAppliance(folder, microphoneWith(wakeWords), {
		EARSHOT_MODEL_DIR: models,
	});
	await appliance.start();
	while (!(await isReady(appliance))) await pause(1000);
	await pause(settleMs);
	const before = processTimes();
	await pause(seconds * 1000);
	const after = processTimes();
	await appliance.stop();
	rmSync(folder, { recursive: true, force: true });
	return (["main", "engine", "capture"] as const).map(
		(name) => (after[name] - before[name]) / seconds,
	);
}

/** A busy machine loads its models slowly. */
function isReady(appliance: Appliance): Promise<boolean> {
	return appliance.startState().then(
		(state) => state === "ready",
		() => false,
	);
}

function microphoneWith(wakeWords: readonly string[]): string {
	return `[model]
second_ear = "${secondEarName}"
[[microphone]]
id = "bench"
device = "mic"
format = "S16_LE"
language = "zh"
wake_words = ${JSON.stringify(wakeWords)}
`;
}
