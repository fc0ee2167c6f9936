import { exec } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { RunningAppliance, repository } from "./running-appliance.js";

t.test(
	"the first start shows an address, a token and a curl line that works when pasted; the second shows no token",
	async (t) => {
		const first = await RunningAppliance.start();
		t.teardown(() => first.dispose());
		const curl = first.screen.join("\n").match(/curl [\s\S]*?"http[^"]*"/)?.[0];
		t.ok(curl, "a curl line is shown");
		const { stdout } = await promisify(exec)(curl ?? "false", {
			cwd: repository,
		});
		const answer = JSON.parse(stdout);
		t.equal(answer.status, "000000");
		t.match(answer.data.result, /\w+ \w+/);
		const everything = [...first.log].join("\n");
		t.notMatch(everything, first.token, "the log holds no token");
		t.notMatch(everything, answer.data.result, "the log holds no transcript");

		await t.test(
			"another with a state of its own runs beside it",
			async (t) => {
				const other = await RunningAppliance.start({
					EARSHOT_FILES_DISK_RESERVE_MEGABYTES: "1073741824", // no disk has it
				});
				t.teardown(() => other.dispose());
				t.not(first.url, other.url);
				const silence = new Uint8Array(3200);
				for (const one of [first, other])
					t.equal(
						(await one.recognize({ lang_type: "en" }, silence)).status,
						200,
					);
				t.equal(
					(await other.recognize({ lang_type: "en" }, silence, first.token))
						.status,
					401,
					"a token of one is nothing to the other",
				);
				const health = await fetch(`${other.url}/healthz`);
				t.match(await health.json(), {
					data: {
						ready: true,
						checks: [{}, {}, {}, { name: "backup", says: /are to stay free/ }],
					},
				});
				const metrics = await (await fetch(`${other.url}/metrics`)).text();
				t.match(metrics, /^earshot_backup_skipped 1$/m);
				t.match(metrics, /^earshot_backup_timestamp_seconds 0$/m);
				t.match(other.log.join("\n"), /no backup is made, tried again/);
				t.notOk(existsSync(join(other.stateDir, "store.backup.mdb")));
			},
		);

		await t.test(
			"a second on the same state says why it won't start",
			async (t) => {
				await t.rejects(RunningAppliance.start({}, first.stateDir), {
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
					EARSHOT_SERVER_PORT: port,
				})
					.then(() => "")
					.catch((error: Error) => error.message);
				t.match(refused, /EARSHOT_SERVER_PORT/);
				t.notMatch(refused, /\n\s+at /);
			},
		);

		t.equal(await first.stop(), 0, "SIGTERM ends it in good order");
		const second = await RunningAppliance.start({}, first.stateDir);
		t.teardown(() => second.dispose());
		t.equal(second.token, "", "the token is shown once");
		const again = await second.recognize(
			{ lang_type: "en-US" },
			new Uint8Array(3200),
			first.token,
		);
		t.equal(again.status, 200, "and still works");
	},
);
