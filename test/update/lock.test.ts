/** Only one process at a time changes the program. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t, { type Test } from "tap";
import { lockPlaces } from "../../runtime/update/lock.js";
import { bootId, placesOf } from "../../runtime/update/places.js";

const racer = fileURLToPath(
	new URL("./fixtures/lock-racer.js", import.meta.url),
);
const rounds = 50;

async function startRacer(t: Test, program: string): Promise<ChildProcess> {
	const child = fork(racer, [program]);
	t.teardown(() => child.kill("SIGKILL"));
	await once(child, "message");
	return child;
}

/** @returns its output. */
async function ask(child: ChildProcess, word: string): Promise<string> {
	const message = once(child, "message");
	child.send(word);
	const [answer] = await message;
	return String(answer);
}

t.test("of many at once over a stale lock, one holds it", async (t) => {
	const places = placesOf(join(t.testdir(), "earshot"));
	const racers = await Promise.all(
		Array.from({ length: 4 }, () => startRacer(t, places.program)),
	);
	const held: number[] = [];
	const others = new Set<string>();
	for (let round = 0; round < rounds; round++) {
		writeFileSync(places.lock, round % 2 ? "" : "another-boot 1\n");
		const answers = await Promise.all(racers.map((it) => ask(it, "take")));
		held.push(answers.filter((it) => it === "take").length);
		for (const answer of answers)
			if (answer !== "take")
				others.add(
					answer.replace(/process \d+; /, "").replace(places.lock, ""),
				);
		await Promise.all(racers.map((it) => ask(it, "let go")));
	}
	t.strictSame(
		held.filter((it) => it !== 1),
		[],
		`one of ${racers.length}, in each of ${rounds} rounds`,
	);
	t.strictSame([...others], ["another update is in progress ()"]);
	t.notOk(existsSync(places.lock));
});

t.test("a killed holder does not block others", async (t) => {
	const places = placesOf(join(t.testdir(), "earshot"));
	const holder = await startRacer(t, places.program);
	t.equal(await ask(holder, "take"), "take");
	await t.rejects(lockPlaces(places), {
		name: "UpdateError",
		message: new RegExp(`in progress \\(process ${holder.pid}; .*\\.lock\\)`),
	});
	const exited = once(holder, "exit");
	holder.kill("SIGKILL");
	await exited;
	const left = readFileSync(places.lock, "utf8");
	// another process has its pid by now
	writeFileSync(
		places.lock,
		left.replace(String(holder.pid), `${process.pid}`),
	);
	await (await lockPlaces(places))();
	t.notOk(existsSync(places.lock));
});

t.test("a version without such a lock is waited for", async (t) => {
	const places = placesOf(join(t.testdir(), "earshot"));
	writeFileSync(places.lock, `${await bootId()} ${process.pid}\n`);
	await t.rejects(lockPlaces(places), /in progress/);
	t.ok(existsSync(places.lock), "it is still its");
});

t.test("without flock(1) nothing is changed", async (t) => {
	const places = placesOf(join(t.testdir(), "earshot"));
	const { PATH } = process.env;
	t.teardown(() => Object.assign(process.env, { PATH }));
	process.env.PATH = places.folder;
	await t.rejects(lockPlaces(places), {
		name: "UpdateError",
		message:
			/failed to check for another update: flock \(of util-linux or busybox\)/,
	});
});
