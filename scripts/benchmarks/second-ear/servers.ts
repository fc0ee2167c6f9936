/** Two servers that differ in the second ear only, and what each makes of a recording. */
import { join } from "node:path";
import { installFolder } from "../../../runtime/models/package/install.js";
import { cacheDirectory } from "../cache.js";
import { langTypeOf } from "../joined/interfaces.js";
import type { Label } from "../joined/recordings.js";
import { linkPackages } from "../linked-packages.js";
import { type Server, withServer } from "../server.js";
import { readWav } from "../wav.js";

export const secondEarName = "zipformer-zh-ear";

export interface Both<Value> {
	readonly without: Value;
	readonly with: Value;
}

export interface RecognizedWord {
	readonly word: string;
	readonly type: string;
	readonly confidence: number;
}

export interface Recognized {
	readonly text: string;
	readonly confidence: number;
	readonly words: readonly RecognizedWord[];
	/** From the request to the answer. */
	readonly seconds: number;
}

/** @param secondEar folder or package of the syllable recognizer. */
export async function withBoth<Result>(
	secondEar: string,
	threads: number,
	measure: (servers: Both<Server>) => Promise<Result>,
): Promise<Result> {
	const folder = await modelsWith(secondEar);
	const settings = {
		EARSHOT_MODEL_DIR: folder,
		EARSHOT_ENGINE_THREADS: `${threads}`,
		EARSHOT_AUTH_RATE_PER_SECOND: "0",
	};
	return withServer(
		{ ...settings, EARSHOT_MODEL_SECOND_EAR: "" },
		(without: Server) =>
			withServer(
				{ ...settings, EARSHOT_MODEL_SECOND_EAR: secondEarName },
				(joint: Server) => measure({ without, with: joint }),
			),
	);
}

/** A folder with the checkout's packages and the second ear, as `models add` installs it. */
export async function modelsWith(secondEar: string): Promise<string> {
	const directory = join(cacheDirectory, "second-ear");
	linkPackages(directory);
	await installFolder(secondEar, {
		directory,
		name: secondEarName,
		kind: "second-ear",
		replace: true,
	});
	return directory;
}

export function inTurn<Value>(
	servers: Both<Server>,
	ask: (server: Server) => Promise<Value>,
	isSwapped = false,
): Promise<Both<Value>> {
	return isSwapped ? withFirst() : withoutFirst();
	async function withoutFirst() {
		const without = await ask(servers.without);
		return { without, with: await ask(servers.with) };
	}
	async function withFirst() {
		const joint = await ask(servers.with);
		return { without: await ask(servers.without), with: joint };
	}
}

/** By a short request. References hold what was said: fillers are wanted, and numbers as they fell. */
export async function recognizeWith(
	{ endpoint }: Server,
	path: string,
	label: Label,
): Promise<Recognized> {
	const query = new URLSearchParams({
		lang_type: langTypeOf[label],
		format: "pcm",
		duration: "600",
		enable_words: "true",
		enable_modal_particle_filter: "false",
		enable_inverse_text_normalization: "false",
	});
	const started = performance.now();
	const answer = await fetch(`${endpoint.url}/v1/asr/api?${query}`, {
		method: "POST",
		headers: { authorization: `Bearer ${endpoint.token}` },
		body: new Uint8Array(readWav(path).buffer),
	});
	const { status, message, data } = (await answer.json()) as {
		readonly status: string;
		readonly message: string;
		readonly data: {
			readonly result: string;
			readonly confidence: number;
			readonly words: readonly RecognizedWord[] | null;
		};
	};
	if (status !== "000000") throw new Error(`${path}: ${status} ${message}`);
	const seconds = (performance.now() - started) / 1000;
	const { result: text, confidence, words } = data;
	return { text, confidence, words: words ?? [], seconds };
}
