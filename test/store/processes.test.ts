import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import t from "tap";
import { Database } from "../../runtime/store/database.js";
import { openStore } from "../../runtime/store/open-store.js";
import { runFixture, startFixture } from "./children.js";

t.test(
	"a token created by another process works here at once, and one revoked here stops working there",
	async (t) => {
		const dir = t.testdir();
		const server = await openStore({ dir, as: "serve" });
		t.teardown(() => server.close());
		await server.tokens.create({
			name: "first",
			scopes: ["asr"],
			nowSeconds: 1_000,
			ttlSeconds: 1_000,
		});
		const other = startFixture("create-tokens", dir);
		t.teardown(() => other.kill("SIGKILL"));
		const [line] = await once(other.stdout ?? other, "data");
		const token = String(line).split("\n")[0] ?? "";
		t.equal(server.tokens.findValid(token, 1_500)?.name, "crash-0");
		other.kill("SIGKILL");
		await once(other, "close");
		t.equal(await server.tokens.revoke("crash-0", 1_500), 1);
		const visitor = await runFixture("nonce-race", dir); // other processes can still open it after the kill
		t.equal(visitor, "50");
		t.equal(server.tokens.findValid(token, 1_500), undefined);
	},
);

t.test(
	"nothing acknowledged is lost while others open and close",
	async (t) => {
		const path = `${t.testdir()}/store.mdb`;
		const database = Database.open(path);
		t.teardown(() => database.close());
		const rows = database.table<number>("rows");
		const opener = startFixture("open-often", path, "400");
		t.teardown(() => opener.kill("SIGKILL"));
		let opened = 0;
		opener.stdout?.on("data", (bytes: Buffer) => {
			opened += bytes.toString().split("\n").length - 1;
		});
		const ended = once(opener, "close");
		const isEnded = () => opener.exitCode !== null;
		const lost: string[] = [];
		const keepCounting = async (key: string) => {
			for (let count = 1; !isEnded(); count++) {
				await rows.put(key, count);
				const found = rows.get(key);
				if (found !== count) lost.push(`${key}: ${count} is ${found}`);
			}
		};
		await Promise.all(["a", "b", "c"].map(keepCounting));
		const [code] = await ended;
		t.equal(code, 0);
		t.equal(opened, 400);
		t.same(lost, []);
	},
);

t.test("of two processes with the same nonce, one succeeds", async (t) => {
	const dir = t.testdir();
	const won = await Promise.all([
		runFixture("nonce-race", dir),
		runFixture("nonce-race", dir),
	]);
	t.equal(Number(won[0]) + Number(won[1]), 50, `won: ${won}`);
});

t.test("kill -9 loses no token whose creation was acknowledged", async (t) => {
	const dir = t.testdir();
	const acknowledged: string[] = [];
	for (let round = 0; round < 5; round++) {
		const child = startFixture("create-tokens", dir);
		let text = "";
		const enough = 3 + round * 7;
		child.stdout?.on("data", (bytes: Buffer) => {
			text += bytes.toString();
			if (text.split("\n").length > enough) child.kill("SIGKILL");
		});
		await once(child, "close");
		acknowledged.push(...text.split("\n").slice(0, -1));
	}
	const store = await openStore({ dir, as: "serve" });
	t.teardown(() => store.close());
	const lost = acknowledged.filter(
		(token) => !store.tokens.findValid(token, 1_500),
	);
	t.ok(acknowledged.length >= 80, `${acknowledged.length} acknowledged`);
	t.same(lost, []);
	await yieldToEventLoop();
});

t.test(
	"a second server is refused the same state directory until the first has died",
	async (t) => {
		const dir = t.testdir();
		const first = startFixture("serve-lock", dir);
		t.teardown(() => first.kill("SIGKILL"));
		await once(first.stdout ?? first, "data");
		await t.rejects(openStore({ dir, as: "serve" }), {
			trouble: "in-use",
			message: new RegExp(`process ${first.pid} already uses`),
		});
		const visitor = await openStore({ dir, as: "visit" });
		await visitor.close();
		first.kill("SIGKILL");
		await once(first, "close");
		const second = await openStore({ dir, as: "serve" });
		await second.close();
	},
);

t.test(
	"of many that start at once over a stale lock, one serves",
	async (t) => {
		const dir = t.testdir();
		const starting = Array.from({ length: 4 }, () => {
			const child = startFixture("serve-often", dir);
			t.teardown(() => child.kill("SIGKILL"));
			return child;
		});
		const answers = () =>
			Promise.all(
				starting.map(async (child) => {
					const [line] = await once(child.stdout ?? child, "data");
					return String(line).trim();
				}),
			);
		const told = (line: string) => {
			const answered = answers();
			for (const { stdin } of starting) stdin?.write(`${line}\n`);
			return answered;
		};
		await answers(); // loaded
		for (let round = 0; round < 8; round++) {
			// of a process that has ended
			writeFileSync(
				join(dir, "serve.lock"),
				'{"pid":4194304,"startTicks":"1"}',
			);
			const ends = await told(`${Date.now() + 20}`);
			t.same(ends.sort(), ["in-use", "in-use", "in-use", "serves"]);
			await told("end");
		}
	},
);
