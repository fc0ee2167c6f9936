/**
 * Made the state in before-owner-kinds/: everything that belongs to somebody, written by a program of before owners had kinds.
 *
 *     git worktree add --detach OLD 886f4d8; (build it there)
 *     EARSHOT_BIN=PROGRAM node build/test/older/make-state.js FOLDER
 *
 * PROGRAM runs the old `earshot`. Its clock is one of the year 2090, or what it made would be swept up as too old one day.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import {
	nowSeconds,
	platformTokenPath,
	signed,
} from "../api/signed-request.js";
import { RunningAppliance } from "../e2e/running-appliance.js";
import { formOf, wavBytes, wavFields } from "../files/running-files.js";
import { eventually } from "../fixtures/eventually.js";
import { Broker } from "../fleet/broker.js";
import { Listener } from "../fleet/listener.js";

const [folder = ""] = process.argv.slice(2);
const work = resolve(folder, "work");
const state = join(work, "state");
const daySeconds = 86_400;
const year2090Seconds = 3_786_912_000;
const topics = "earshot/hq/kiosk-1";

const made = {
	tokens: {} as Record<string, string>,
	tasks: {} as Record<string, string>,
	recordings: {} as Record<string, string>,
};

/** Seconds between our clock and the program's. */
let aheadSeconds = Math.floor(year2090Seconds - Date.now() / 1000);

function environment(): Record<string, string> {
	const clock = join(work, `clock-${aheadSeconds}.mjs`);
	writeFileSync(
		clock,
		`const Own = Date;
const now = () => Own.now() + ${aheadSeconds * 1000};
globalThis.Date = class extends Own {
	constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
	static now() { return now(); }
};`,
	);
	return {
		NODE_OPTIONS: `--import ${clock}`,
		EARSHOT_AUTH_TOKEN_TTL_SECONDS: "3153600000",
		EARSHOT_OUTBOUND_ALLOW: "127.0.0.1",
	};
}

const shortWav = wavBytes(0.2, 8000);

/** @param token undefined: without one. */
async function upload(by: string, { url }: RunningAppliance, token?: string) {
	const answer = await fetch(`${url}/v1/asrfile/upload`, {
		method: "POST",
		...(token && { headers: { authorization: `Bearer ${token}` } }),
		body: formOf({
			...wavFields,
			file: shortWav,
			callback_url: "http://127.0.0.1:9/nobody", // tried, and tried again later
		}),
	});
	const { data } = (await answer.json()) as { data: { task_id: string } };
	made.tasks[by] = data.task_id;
	return async () => {
		await eventually("the result", async () => {
			const result = await fetch(
				`${url}/v1/asrfile/result?task_id=${data.task_id}`,
			);
			const { data: now } = (await result.json()) as { data: object };
			return "result" in now;
		});
	};
}

async function record(by: string, { url }: RunningAppliance, token?: string) {
	const query = "lang_type=en&format=wav&audio_url=wav";
	const answer = await fetch(`${url}/v1/asr/api?${query}`, {
		method: "POST",
		...(token && { headers: { authorization: `Bearer ${token}` } }),
		body: shortWav,
	});
	const { data } = (await answer.json()) as { data: { audio_url: string } };
	made.recordings[by] = new URL(data.audio_url).pathname;
}

async function makeToken(
	name: string,
	appliance: RunningAppliance,
	ttl: string,
) {
	const words = ["token", "create", "--name", name, "--ttl", ttl];
	const { stdout } = await appliance.command(...words);
	made.tokens[`token:${name}`] = stdout.trim();
}

async function makeApp(name: string, appliance: RunningAppliance) {
	const words = ["app", "create", "--name", name, "--json"];
	const app = JSON.parse((await appliance.command(...words)).stdout);
	const answer = await fetch(appliance.url + platformTokenPath, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(
			signed({ ...app, id: app.app_id }, nowSeconds() + aheadSeconds),
		),
	});
	const { data } = (await answer.json()) as { data: { token: string } };
	made.tokens[`app:${name}`] = data.token;
}

async function overMqtt(broker: Broker, listener: Listener): Promise<void> {
	const files = createServer((_, answer) => answer.end(shortWav));
	files.listen(0, "127.0.0.1");
	await once(files, "listening");
	const address = files.address();
	if (typeof address !== "object" || address === null) throw new Error("port");
	await listener.publish(`${topics}/cmd/transcribe`, {
		...wavFields,
		file_url: `http://127.0.0.1:${address.port}/a.wav`,
	});
	const { topic } = await listener.until((it) =>
		it.topic.startsWith(`${topics}/tasks/`),
	);
	made.tasks["mqtt:fleet"] = topic.split("/").at(-1) ?? "";
	files.close();
	await listener.close();
	await broker.kill();
}

async function firstWeek(): Promise<void> {
	const broker = await Broker.start(work);
	const listener = await Listener.open(broker.url, [`${topics}/#`]);
	const appliance = await RunningAppliance.start(
		{
			...environment(),
			EARSHOT_FLEET_URL: broker.url,
			EARSHOT_FLEET_SITE: "hq",
			EARSHOT_FLEET_DEVICE: "kiosk-1",
			EARSHOT_FLEET_COMMANDS: "transcribe",
		},
		state,
	);
	await overMqtt(broker, listener);
	for (const name of ["kiosk", "both", "fleet", "anonymous"])
		await makeToken(name, appliance, "36500d");
	await makeToken("renewed", appliance, "60s");
	for (const name of ["robot", "both"]) await makeApp(name, appliance);
	for (const [by, token] of Object.entries(made.tokens)) {
		const done = await upload(by, appliance, token);
		await record(by, appliance, token);
		await done();
	}
	await appliance.stop();
}

async function secondWeek(): Promise<void> {
	aheadSeconds += 8 * daySeconds; // the token "renewed" is forgotten by now
	const open = await RunningAppliance.start(
		{ ...environment(), EARSHOT_AUTH_REQUIRED: "false" },
		state,
	);
	const done = await upload("anyone:anonymous", open);
	await record("anyone:anonymous", open);
	await done();
	await open.stop();
	const appliance = await RunningAppliance.start(environment(), state);
	await makeToken("late", appliance, "36500d");
	await makeApp("renewed", appliance);
	for (const by of ["app:renewed", "token:late"]) {
		const finished = await upload(by, appliance, made.tokens[by]);
		if (by === "app:renewed") await finished();
	}
	await appliance.stop("SIGKILL"); // with that of "late" unfinished
	await appliance.command("backup", join(work, "store.mdb"));
}

mkdirSync(state, { recursive: true, mode: 0o700 });
await firstWeek();
await secondWeek();
rmSync(join(state, "store.mdb-lock"), { force: true });
rmSync(join(state, "store.backup.mdb"), { force: true });
rmSync(join(state, "serve.lock"), { force: true });
copyFileSync(join(work, "store.mdb"), join(state, "store.mdb"));
execFileSync("tar", [
	...["-C", state, "--sort=name", "--owner=0", "--group=0", "-czf"],
	...[resolve(folder, "state.tar.gz"), "."],
]);
writeFileSync(
	resolve(folder, "made.json"),
	`${JSON.stringify(made, null, "\t")}\n`,
);
rmSync(work, { recursive: true });
process.exit(0);
