import { exec, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { openStore } from "../../runtime/store/open-store.js";
import { eventually } from "../fixtures/eventually.js";
import { RunningAppliance, repository } from "./running-appliance.js";
import { tinyModel } from "./tiny-model.js";

const main = join(repository, "build/runtime/main.js");

/** A server that somebody started at a terminal, its log led into a file. @returns what the terminal shows so far. */
async function atTerminal(t: Test, stateDir: string, logFile: string) {
	const serve = `exec ${process.execPath} ${main} serve > ${logFile}`;
	const child = spawn("script", ["-qefc", serve, "/dev/null"], {
		stdio: ["ignore", "pipe", "inherit"],
		env: {
			PATH: process.env.PATH,
			SHELL: "/bin/sh",
			EARSHOT_STATE_DIR: stateDir,
			EARSHOT_SERVER_PORT: "0",
			EARSHOT_TLS_PORT: "0",
			...(await tinyModel()),
		},
	});
	let shown = "";
	child.stdout.on("data", (bytes: Buffer) => {
		shown += bytes.toString().replaceAll("\r", "");
	});
	t.teardown(async () => {
		if (child.exitCode !== null) return;
		const ended = once(child, "exit"); // when the server has
		execFileSync("pkill", ["-TERM", "-P", String(child.pid)]);
		await ended;
	});
	await eventually(
		"the server to be ready",
		() => /^earshot: ready/m.test(shown),
		{
			seen: () => shown,
		},
	);
	return shown;
}

t.test(
	"a first start at a terminal shows a token, and a curl line that works when pasted; no other start does",
	{ skip: existsSync("/usr/bin/script") ? false : "no script(1)" },
	async (t) => {
		const dir = mkdtempSync(join(tmpdir(), "earshot-terminal-"));
		t.teardown(() => rmSync(dir, { recursive: true, force: true }));
		const logFile = join(dir, "log");
		const state = join(dir, "state");
		await t.test("the first", async (t) => {
			const shown = await atTerminal(t, state, logFile);
			const curl = shown.match(/curl [\s\S]*?"http[^"]*"/)?.[0];
			const token = /Bearer ([\w-]{43})/.exec(shown)?.[1] ?? "";
			t.not(token, "", "a token is shown");
			const end = /valid until (\S+ \S+Z)/.exec(shown)?.[1] ?? "";
			t.ok(Date.parse(end) > Date.now(), `and when it ends: ${end}`);
			t.match(shown, /earshot token create --name NAME --ttl 365d/);
			const { stdout } = await promisify(exec)(curl ?? "false", {
				cwd: repository,
			});
			const answer = JSON.parse(stdout);
			t.equal(answer.status, "000000");
			t.match(answer.data.result, /\w+ \w+/);
			const log = readFileSync(logFile, "utf8");
			t.notMatch(log, token, "the log holds no token");
			t.notMatch(log, answer.data.result, "the log holds no transcript");
		});
		const again = await atTerminal(t, state, logFile);
		t.notMatch(again, /token/, "it is shown once");
	},
);

t.test(
	"servers do not get in each other's way, and a token outlives a restart",
	async (t) => {
		const model = await tinyModel();
		const state = mkdtempSync(join(tmpdir(), "earshot-e2e-"));
		await (await openStore({ dir: state, as: "visit" })).close();
		const first = await RunningAppliance.start(model, state);
		t.teardown(() => first.dispose());
		const silence = new Uint8Array(3200);

		await t.test(
			"a first start whose words are written down says how to make a token, and makes none",
			async (t) => {
				const [line] = first.screen.filter((it) => /token/.test(it));
				t.match(line, /create one with: earshot token create --name NAME$/);
				const store = await openStore({ dir: state, as: "visit" });
				t.same(store.tokens.list(), []);
				await store.close();
			},
		);
		const words = ["token", "create", "--name", "NAME"];
		const token = (await first.command(...words)).stdout.trim();

		await t.test(
			"no protocol without tokens listens unless it is told to",
			async (t) => {
				const { port } = new URL(first.url);
				t.same(listenedPorts(first.process.pid ?? 0), [Number(port)]);
			},
		);

		await t.test(
			"another with a state of its own runs beside it",
			async (t) => {
				const other = await RunningAppliance.start({
					...model,
					EARSHOT_FILES_DISK_RESERVE_MEGABYTES: "1073741824", // no disk has it
				});
				t.teardown(() => other.dispose());
				t.not(first.url, other.url);
				for (const [one, itsToken] of [
					[first, token],
					[other, other.token],
				] as const)
					t.equal(
						(await one.recognize({ lang_type: "en" }, silence, itsToken))
							.status,
						200,
					);
				t.equal(
					(await other.recognize({ lang_type: "en" }, silence, token)).status,
					401,
					"a token of one is nothing to the other",
				);
				const health = await fetch(`${other.url}/healthz`);
				t.match(await health.json(), {
					data: {
						ready: true,
						checks: [
							{},
							{},
							{},
							{ name: "backup", says: /must stay free/ },
							{ name: "clock", ok: true },
						],
					},
				});
				const list = await fetch(`${other.url}/v1/hotwords`, {
					method: "POST",
					headers: { Authorization: `Bearer ${other.token}` },
					body: JSON.stringify({ lang_type: "en", words: ["kiosk"] }),
				});
				t.match(await list.json(), { status: "100004", message: /kept free/ });
				const metrics = await (await fetch(`${other.url}/metrics`)).text();
				t.match(metrics, /^earshot_backup_skipped 1$/m);
				t.match(metrics, /^earshot_backup_timestamp_seconds 0$/m);
				t.match(other.log.join("\n"), /backup skipped, retrying/);
				t.notOk(existsSync(join(other.stateDir, "store.backup.mdb")));
			},
		);

		await t.test(
			"a second on the same state says why it won't start",
			async (t) => {
				await t.rejects(RunningAppliance.start(model, first.stateDir), {
					message: /EARSHOT_STATE_DIR/,
				});
				t.equal((await fetch(`${first.url}/healthz`)).status, 200);
			},
		);

		await t.test(
			"a port that is taken gives a sentence, not a stack",
			async (t) => {
				const port = new URL(first.url).port;
				const refused = await RunningAppliance.start({
					...model,
					EARSHOT_SERVER_PORT: port,
				})
					.then(() => "")
					.catch((error: Error) => error.message);
				t.match(refused, /EARSHOT_SERVER_PORT/);
				t.notMatch(refused, /\n\s+at /);
			},
		);

		t.equal(await first.stop(), 0, "SIGTERM ends it in good order");
		const second = await RunningAppliance.start(model, first.stateDir);
		t.teardown(() => second.dispose());
		const again = await second.recognize(
			{ lang_type: "en-US" },
			silence,
			token,
		);
		t.equal(again.status, 200);
	},
);

/** TCP ports of a process. */
function listenedPorts(pid: number): readonly number[] {
	const isListening = "0A"; // include/net/tcp_states.h
	const folder = `/proc/${pid}/fd`;
	const own = new Set(
		readdirSync(folder).flatMap((it) => {
			try {
				return (
					/^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, it)))?.[1] ?? []
				);
			} catch {
				return []; // closed meanwhile
			}
		}),
	);
	const rows = ["tcp", "tcp6"].flatMap((it) =>
		readFileSync(`/proc/${pid}/net/${it}`, "utf8").trim().split("\n").slice(1),
	);
	return rows
		.map((row) => row.trim().split(/\s+/))
		.filter(([, , , state, , , , , , inode = ""]) => {
			return state === isListening && own.has(inode);
		})
		.map(([, address = ""]) =>
			Number.parseInt(address.split(":")[1] ?? "", 16),
		);
}
