/**
 * A lane on the real engine with the real models, from `models/` or EARSHOT_MODEL_DIR.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { loadConfig } from "../../runtime/config/load.js";
import { createLane } from "../../runtime/engine/from-config.js";
import type { LaneName } from "../../runtime/engine/protocol.js";
import type { Manifest } from "../../runtime/models/manifest.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { Lane } from "../../runtime/session/lane-port.js";
import { localDevice } from "../../runtime/session/lane-port.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { eventsOf, listeningLog, options } from "./fake-lane.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export const modelDir = process.env.EARSHOT_MODEL_DIR ?? join(root, "models");

const manifestPath = join(modelDir, "whisper-base", "model.json");

/** Why tests with real models can't run here; false where they can. */
export const skipped: string | false = existsSync(manifestPath)
	? false
	: `no model in ${modelDir}`;

/** The package's own clip: real speech that is always available. */
export function probeClip(): { bytes: Buffer; words: readonly string[] } {
	const manifest = JSON.parse(readFileSync(manifestPath, "utf8")) as Manifest;
	const file = manifest.probe?.file ?? "";
	return {
		bytes: readFileSync(join(modelDir, "whisper-base", file)),
		words: manifest.probe?.words ?? [],
	};
}

export function realLane(
	t: Test,
	name: LaneName = "live",
	overrides: readonly string[] = [],
) {
	const stateDir = mkdtempSync(join(tmpdir(), "earshot-test-"));
	const config = loadConfig({
		environment: {
			EARSHOT_MODEL_DIR: modelDir,
			EARSHOT_STATE_DIR: stateDir,
		},
		overrides: [
			// on a busy machine an engine starts late, says little, and has others before a request
			"engine.queue_wait_seconds=60",
			"engine.ready_seconds_max=600",
			"engine.ping_seconds_max=300",
			// nobody alters the checkout's models; a fifth of an engine's start
			"recognition.verify_model=false",
			// other tests run at the same time
			"engine.batch_niceness=0",
			"engine.batch_idle_only=false",
			// each waits for the other a sixth of its time; the lane for files shares two between its copies of the recognizer
			...(name === "live" ? ["engine.threads=1"] : []),
			...overrides,
		],
	}).values;
	const complaints: string[] = [];
	const log = listeningLog(({ level, message, fields }) => {
		if (level === "error")
			complaints.push(`${message} ${JSON.stringify(fields)}`);
	});
	const { lane, supervisor } = createLane(name, config, log);
	t.teardown(async () => {
		await supervisor.stop(5000);
		rmSync(stateDir, { recursive: true, force: true });
	});
	const spool = join(stateDir, "spool", name);
	return { lane, supervisor, config, spool, complaints };
}

/** All bytes at once, like an HTTP body. */
export async function transcribe(
	lane: Lane,
	bytes: Uint8Array,
	changes: Partial<RecognitionOptions> = {},
): Promise<SessionEvent[]> {
	const recognition = await lane.open(
		{
			...options,
			format: "wav",
			...changes,
		},
		localDevice,
	);
	recognition.write(bytes);
	recognition.finish();
	return eventsOf(recognition);
}

/** The words that were not recognized. */
export function missing(
	text: string | undefined,
	words: readonly string[],
): string[] {
	const recognized = (text ?? "").toLowerCase();
	return words.filter((word) => !recognized.includes(word.toLowerCase()));
}
