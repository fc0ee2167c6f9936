/**
 * The order of an update, with other programs in the place of earshot: copies of a small one in C, which costs no second each to copy, sign and verify. What is
 * appended to a copy decides how its server behaves. The real executable: update.test.ts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
	copyFileSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { writeAttempt } from "../../runtime/update/attempt.js";
import { readPublicKey } from "../../runtime/update/minisign.js";
import { keepAs, placesOf, sha256Of } from "../../runtime/update/places.js";
import type { Restart } from "../../runtime/update/restart.js";
import { listensAt } from "../../runtime/update/running-server.js";
import { lastRefused } from "../../runtime/update/swap.js";
import { Updater } from "../../runtime/update/updater.js";
import { compileProgram, hasCompiler } from "../fixtures/c-compiler.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";
import { newSigner, signatureOf } from "./minisign-writer.js";

const signer = newSigner();
/** Of every program here, whatever the running one is said to be. */
const version = "2.0.0";
/** The time a new version has to become healthy in. No test waits for its end: it puts the clock forward. */
const seconds = 60;
let aheadMs = 0;
/** What each look at the clock puts it forward by: nothing, or half of that time. */
let stepMs = 0;
const longMs = (seconds * 1000) / 2;
const nowMs = performance.now.bind(performance);
mock.method(performance, "now", () => {
	aheadMs += stepMs;
	return nowMs() + aheadMs;
});
t.teardown(() => mock.restoreAll());
const folder = mkdtempSync(join(tmpdir(), "earshot-updater-"));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const built = join(folder, "small-server");
const skip = hasCompiler() ? false : "no C compiler (cc) here";
if (!skip) compileProgram(built, "test/update/fixtures/small-server.c");

async function device(t: Test, kind = "good") {
	const dir = t.testdir();
	const places = placesOf(join(dir, "earshot"));
	const port = await claimedPort();
	const copy = (path: string, kind: string) => {
		copyFileSync(built, path);
		writeFileSync(path, kind, { flag: "a" });
	};
	copy(places.program, kind);
	const started: ChildProcess[] = [];
	t.teardown(() => started.map((it) => it.kill("SIGKILL")));
	const start = async () => {
		const server = spawn(places.program, ["serve"], {
			env: { PORT: String(port) },
			stdio: ["ignore", "pipe", "ignore"],
		});
		started.push(server);
		const ended = once(server, "exit");
		await Promise.race([once(server.stdout, "data"), ended]);
		return { server, ended };
	};
	const offered = (kind: string) => {
		const path = join(dir, `${kind}-release`);
		copy(path, kind);
		const comment = `version:${version}\tarch:${process.arch}`;
		const signature = signatureOf(readFileSync(path), signer, { comment });
		writeFileSync(`${path}.minisig`, signature);
		return path;
	};
	/** @param running version of the program that updates itself. */
	const updater = (restart: Restart, running = "1.0.0") =>
		new Updater({
			places,
			restart,
			here: { version: running, architecture: process.arch },
			keys: [readPublicKey(signer.publicKey)],
			watch: {
				url: `http://127.0.0.1:${port}/healthz`,
				seconds,
				drainSeconds: 86_400, // whoever drains has all day
			},
			report: () => {},
		});
	const kindOf = (path: string) => readFileSync(path).subarray(-4).toString();
	const programIs = () => kindOf(places.program);
	const listens = () => listensAt(`http://127.0.0.1:${port}/`);
	return { places, start, listens, offered, updater, programIs, kindOf };
}

t.test(
	"the time counts from when the previous server ended",
	{ skip },
	async (t) => {
		const { start, listens, offered, updater, programIs, places } =
			await device(t, "slow");
		const old = await start();
		const restart = async () => {
			old.server.kill();
			await eventually("its port to close", async () => !(await listens()));
			void endLate().then(start);
			throw new Error("not down yet"); // as of commands that give up sooner
		};
		/** Longer after the restart than a new version may take. */
		const endLate = async () => {
			stepMs = longMs;
			const lateMs = aheadMs + 3 * seconds * 1000;
			while (aheadMs < lateMs) await pause(50); // the updater looks at the clock meanwhile
			stepMs = 0;
			old.server.kill("SIGKILL");
			await old.ended;
		};
		t.ok(await updater(restart).update(offered("good")));
		t.equal(programIs(), "good");
		t.notOk(existsSync(places.attempt));
	},
);

t.test(
	"where a restart fails, the previous version runs again",
	{ skip },
	async (t) => {
		const { start, offered, updater, programIs, places } = await device(t);
		let running = await start();
		/** As a script does that stops, starts and looks. */
		const restart = async () => {
			running.server.kill();
			await running.ended;
			running = await start();
			const isUp = running.server.exitCode === null;
			stepMs = isUp ? 0 : longMs;
			if (!isUp) throw new Error("it is not up");
			return true;
		};
		await t.rejects(
			updater(restart).update(offered("bad!")),
			/^\S+ was rolled back: it did not become healthy within 60 s \(it is not up\); 1\.0\.0 runs again$/,
		);
		t.equal(programIs(), "good");
		t.equal(running.server.exitCode, null);
		t.match(await lastRefused(places), { version });
	},
);

t.test(
	"a mistyped command does not refuse a good version",
	{ skip },
	async (t) => {
		const { start, offered, updater, programIs, places } = await device(t);
		const { server } = await start();
		const restart = async () => {
			throw new Error("not found");
		};
		await t.rejects(
			updater(restart).update(offered("next")),
			/^not found; \S+ is not installed, 1\.0\.0 stays$/,
		);
		t.equal(programIs(), "good");
		t.equal(server.exitCode, null);
		t.notOk(existsSync(places.attempt));
		t.equal(await lastRefused(places), undefined);
		copyFileSync(offered("past"), places.previous);
		await t.rejects(updater(restart, "99.0.0").rollBack(), /not found/);
		t.equal(await lastRefused(places), undefined, "nor the one that stays");
	},
);

t.test(
	"a version left by hand is not downloaded again",
	{ skip },
	async (t) => {
		const { offered, updater, programIs, places } = await device(t);
		const release = offered("next");
		const paths: (string | undefined)[] = [];
		const server = createServer(({ url }, response) => {
			paths.push(url);
			const isSignature = url?.endsWith(".minisig");
			response.end(readFileSync(isSignature ? `${release}.minisig` : release));
		});
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		t.teardown(() => server.close());
		const { port } = server.address() as AddressInfo;
		const url = `http://127.0.0.1:${port}/earshot`;
		const atNextStart = async () => false;
		t.ok(await updater(atNextStart).update(release));
		t.equal(programIs(), "next");
		rmSync(places.attempt); // its server was healthy
		await updater(atNextStart, "99.0.0").rollBack();
		rmSync(places.attempt);
		t.equal(programIs(), "good");
		const again = /was tried and rolled back: rolled back on request/;
		await t.rejects(updater(atNextStart).update(url), again);
		t.strictSame(paths.splice(0), ["/earshot.minisig", "/earshot"]);
		await t.rejects(updater(atNextStart).update(url), again);
		t.strictSame(paths.splice(0), ["/earshot.minisig"]);
		t.ok(await updater(atNextStart).update(url, { again: true }));
	},
);

t.test(
	"a rollback that was cut goes back at the second attempt",
	{ skip },
	async (t) => {
		const { offered, updater, programIs, places } = await device(t, "bad!");
		copyFileSync(offered("past"), places.previous);
		await keepAs(places.previous, places.next);
		const sha256 = await sha256Of(places.next);
		await writeAttempt(places, {
			schema: 1,
			from: "99.0.0",
			to: version,
			sha256,
			healthySeconds: seconds,
			starts: 0,
		});
		renameSync(places.previous, places.earlier);
		await keepAs(places.program, places.previous);
		await updater(async () => false, "99.0.0").rollBack();
		t.equal(programIs(), "past");
	},
);

t.test(
	"an update that was cut leaves no other version to go back to",
	{ skip },
	async (t) => {
		const { updater, programIs, places } = await device(t);
		await keepAs(places.program, places.previous);
		await t.rejects(updater(async () => false).rollBack(), {
			name: "UpdateError",
			message: /no previous version/,
		});
		t.equal(programIs(), "good");
	},
);

t.test(
	"installed again, a version keeps the one before it",
	{ skip },
	async (t) => {
		const { start, offered, updater, programIs, places, kindOf } =
			await device(t);
		let running = await start();
		const restart = async () => {
			running.server.kill();
			await running.ended;
			running = await start();
			return true;
		};
		const release = offered("next");
		t.ok(await updater(restart).update(release));
		t.equal(kindOf(places.previous), "good");
		const again = { allowDowngrade: true };
		t.ok(await updater(restart, version).update(release, again));
		t.equal(programIs(), "next");
		t.equal(kindOf(places.previous), "good");
		t.notOk(existsSync(places.earlier));
		await updater(restart, version).rollBack();
		t.equal(programIs(), "good");
	},
);
