/**
 * An executable for another processor, started under an emulator that the kernel calls for it: does it get healthy, and do HTTP and WebSocket give the
 * text that the checkout on this machine gives? Started by scripts/test-arm64.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { EarshotClient } from "../../runtime/client/earshot-client.js";

const run = promisify(execFile);
const [program = ""] = process.argv.slice(2);
const clip = "models/whisper-base/probe.wav";
const healthyMsMax = 600_000;
/** A clip of 3 s takes a minute and more on a machine that has other work. */
const answerMsMax = 600_000;
const port = "7164";
const url = `http://127.0.0.1:${port}`;
const state = mkdtempSync(join(tmpdir(), "earshot-emulated-"));
const environment = {
	...process.env,
	EARSHOT_STATE_DIR: state,
	EARSHOT_SERVER_PORT: port,
	EARSHOT_TLS_PORT: "0",
	EARSHOT_SERVER_HOST: "127.0.0.1",
	EARSHOT_ENGINE_READY_SECONDS_MAX: "600",
	EARSHOT_ENGINE_ANSWER_SECONDS_MAX: "600",
	EARSHOT_ENGINE_PING_SECONDS_MAX: "300",
};

const wanted = await wordsHere();
const { stdout: version } = await run(program, ["doctor"], {
	env: environment,
}).catch((error: { stdout: string }) => error); // the emulator's machine need not be healthy
console.log(version.split("\n")[0]);
const token = await makeToken();
const server = spawn(program, ["serve"], {
	stdio: ["ignore", "ignore", "inherit"],
	env: environment,
});
try {
	console.log(`ok healthy after ${await untilHealthy()} s`);
	expectSame("HTTP", await overHttp());
	expectSame("WebSocket", await overWebSocket());
} finally {
	server.kill("SIGKILL");
	rmSync(state, { recursive: true, force: true });
}

async function wordsHere(): Promise<string> {
	const { stdout } = await run(process.execPath, [
		...["build/runtime/main.js", "transcribe"],
		...["--lang", "en", clip],
	]);
	return stdout.trim();
}

async function makeToken(): Promise<string> {
	const { stdout } = await run(
		program,
		["token", "create", "--name", "emulated", "--scope", "asr"],
		{ env: environment },
	);
	return stdout.trim();
}

async function untilHealthy(): Promise<number> {
	const from = performance.now();
	for (;;) {
		const answer = await fetch(`${url}/healthz`).catch(() => undefined);
		const taken = performance.now() - from;
		if (answer?.status === 200) return Math.round(taken / 1000);
		if (taken > healthyMsMax)
			throw new Error(`not healthy: ${await answer?.text()}`);
		if (server.exitCode !== null) throw new Error("the server ended");
		await pause(500);
	}
}

async function overHttp(): Promise<string> {
	const answer = await fetch(`${url}/v1/asr/api?lang_type=en&format=wav`, {
		method: "POST",
		headers: { authorization: `Bearer ${token}` },
		body: readFileSync(clip),
	});
	const { data, message } = (await answer.json()) as {
		message: string;
		data?: { result: string };
	};
	return data?.result ?? message;
}

/** With the checkout's own client: only the server is emulated. Not `earshot listen`, which gives an appliance up after a minute without a message. */
async function overWebSocket(): Promise<string> {
	const client = new EarshotClient({
		url,
		token,
		namespace: "SpeechTranscriber",
		startTimeoutMs: answerMsMax,
		silenceTimeoutMs: answerMsMax,
	});
	await client.start({ lang_type: "en", format: "wav" });
	const sentences: string[] = [];
	const reading = (async () => {
		for await (const result of client)
			if (result.is === "sentence") sentences.push(result.text);
	})();
	reading.catch(() => {}); // thrown by `stop` as well
	await client.send(readFileSync(clip));
	await client.stop();
	await reading;
	return sentences.join(" ");
}

function expectSame(endpoint: string, text: string): void {
	if (text !== wanted)
		throw new Error(`${endpoint} heard "${text}", the checkout "${wanted}"`);
	console.log(`ok ${endpoint}: ${text}`);
}
