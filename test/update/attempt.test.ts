/** The state after an update is interrupted at any point, and the decision of the next start. */
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
	type Attempt,
	judgeStart,
	readAttempt,
	writeAttempt,
} from "../../runtime/update/attempt.js";
import { lockPlaces } from "../../runtime/update/lock.js";
import { keepAs, type Places, placesOf } from "../../runtime/update/places.js";
import {
	goBack,
	lastRefused,
	putInPlace,
	settle,
} from "../../runtime/update/swap.js";
import { beginStart, endTrial } from "../../runtime/update/trial.js";
import { updateState } from "../../runtime/update/update-state.js";

const attempt: Attempt = {
	schema: 1,
	from: "0.1.0",
	to: "0.2.0",
	sha256: createHash("sha256").update("new").digest("hex"),
	healthySeconds: 60,
	starts: 0,
};

function updatePlaces(t: Test): Places {
	const places = placesOf(join(t.testdir(), "earshot"));
	mkdirSync(places.folder, { recursive: true });
	writeFileSync(places.program, "old");
	writeFileSync(places.next, "new");
	return places;
}

const programOf = ({ program }: Places) => readFileSync(program, "utf8");

t.test("a program on trial is started three times, or for 60 s", async (t) => {
	let now = { boot: "a", seconds: 10 };
	let trial = attempt;
	for (
		let start = 1;
		start <= 3;
		start++, now = { ...now, seconds: now.seconds + 10 }
	) {
		const verdict = judgeStart(trial, now);
		if (verdict.is !== "start") throw new Error(verdict.why);
		trial = verdict.attempt;
		t.equal(trial.starts, start);
	}
	t.match(judgeStart(trial, now), { is: "go back", why: /started 3 times/ });
	const once = judgeStart(attempt, { boot: "a", seconds: 10 });
	if (once.is !== "start") throw new Error(once.why);
	t.match(judgeStart(once.attempt, { boot: "a", seconds: 71 }), {
		is: "go back",
		why: /within 60 s/,
	});
	t.match(
		judgeStart(once.attempt, { boot: "b", seconds: 500 }),
		{ is: "start", attempt: { starts: 2, first: { boot: "b" } } },
		"the machine was started again: its power may have been at fault",
	);
	const seen = { boot: "a", seconds: 11, invocation: "i" };
	const counted = judgeStart(once.attempt, seen);
	if (counted.is !== "start") throw new Error(counted.why);
	t.match(
		judgeStart(counted.attempt, { ...seen, seconds: 12 }),
		{ is: "start", attempt: { starts: 2 } },
		"a start that two have seen is one",
	);
});

t.test("in place, started without success, and rolled back", async (t) => {
	const places = updatePlaces(t);
	await putInPlace(places, attempt);
	t.equal(programOf(places), "new");
	t.equal(readFileSync(places.previous, "utf8"), "old");
	for (let start = 0; start < 3; start++)
		t.match(await beginStart(places), { is: "trial" });
	t.match(await beginStart(places), { is: "back", why: /3 times/ });
	t.equal(programOf(places), "old");
	t.match(await lastRefused(places), { version: "0.2.0", why: /3 times/ });
	t.strictSame(readdirSync(places.folder).sort(), [
		"earshot",
		"earshot.refused",
	]);
	t.match(await beginStart(places), { is: "usual" });
});

t.test("in place, healthy, and the previous version is kept", async (t) => {
	const places = updatePlaces(t);
	await putInPlace(places, attempt);
	await beginStart(places);
	await endTrial(places);
	t.match(await beginStart(places), { is: "usual" });
	t.strictSame(readdirSync(places.folder).sort(), [
		"earshot",
		"earshot.previous",
	]);
	t.equal(readFileSync(places.previous, "utf8"), "old");
});

t.test("interrupted before it was in place, it is discarded", async (t) => {
	const places = updatePlaces(t);
	await writeAttempt(places, attempt);
	writeFileSync(places.previous, "old");
	t.match(await beginStart(places), { is: "usual" });
	t.equal(programOf(places), "old");
	t.notOk(existsSync(places.attempt));
});

t.test("a start between two steps leaves the record", async (t) => {
	const places = updatePlaces(t);
	const release = await lockPlaces(places);
	await writeAttempt(places, attempt);
	t.match(await beginStart(places), { is: "usual" });
	await keepAs(places.program, places.previous);
	t.match(await beginStart(places), { is: "usual" });
	await endTrial(places); // as of a server that was started before
	renameSync(places.next, places.program);
	t.match(await beginStart(places), { is: "trial", attempt: { starts: 1 } });
	await release();
});

t.test("a rollback that was interrupted loses no version", async (t) => {
	const places = updatePlaces(t);
	writeFileSync(places.previous, "new");
	const steps = [
		() => keepAs(places.previous, places.next),
		() => writeAttempt(places, attempt),
		() => rename(places.previous, places.earlier),
		() => keepAs(places.program, places.previous),
	];
	for (let done = 1; done <= steps.length; done++) {
		for (const step of steps.slice(0, done)) await step();
		t.match(await beginStart(places), { is: "usual" });
		t.equal(programOf(places), "old");
		t.equal(readFileSync(places.previous, "utf8"), "new");
		t.notOk(existsSync(places.attempt));
	}
});

t.test("an interrupted update leaves the version before", async (t) => {
	const places = updatePlaces(t);
	writeFileSync(places.previous, "older");
	const steps = [
		() => writeAttempt(places, { ...attempt, offer: "0123456789abcdef" }),
		() => rename(places.previous, places.earlier),
		() => keepAs(places.program, places.previous),
	];
	for (let done = 1; done <= steps.length; done++) {
		for (const step of steps.slice(0, done)) await step();
		t.match(await beginStart(places), { is: "usual" });
		t.equal(programOf(places), "old");
		t.equal(readFileSync(places.previous, "utf8"), "older");
		t.notOk(existsSync(places.attempt));
		t.notOk(existsSync(places.earlier));
	}
});

t.test("a rolled back update leaves the version before", async (t) => {
	const places = updatePlaces(t);
	writeFileSync(places.previous, "older");
	await putInPlace(places, attempt);
	await goBack(places, "tried");
	t.equal(programOf(places), "old");
	t.match(await updateState(places, "0.1.0"), { hasPrevious: true });
	await settle(places); // as the next update does first
	t.equal(readFileSync(places.previous, "utf8"), "older");
	writeFileSync(places.next, "new");
	await putInPlace(places, attempt);
	await endTrial(places);
	await settle(places);
	t.equal(programOf(places), "new");
	t.equal(readFileSync(places.previous, "utf8"), "old");
	t.notOk(existsSync(places.earlier));
});

t.test("an acceptance that was interrupted loses no version", async (t) => {
	const places = updatePlaces(t);
	writeFileSync(places.previous, "older");
	await putInPlace(places, attempt);
	rmSync(places.attempt); // its first step
	await settle(places);
	t.equal(programOf(places), "new");
	t.equal(readFileSync(places.previous, "utf8"), "old");
	t.notOk(existsSync(places.earlier));
});

t.test("what fails half way leaves the version before", async (t) => {
	const places = updatePlaces(t);
	writeFileSync(places.previous, "older");
	mkdirSync(places.attempt); // as on a full disk
	await t.rejects(putInPlace(places, attempt));
	t.equal(readFileSync(places.previous, "utf8"), "older");
	rmdirSync(places.attempt);
	rmSync(places.next);
	await t.rejects(putInPlace(places, attempt));
	t.equal(programOf(places), "old");
	t.equal(readFileSync(places.previous, "utf8"), "older");
	t.notOk(existsSync(places.attempt));
});

t.test("interrupted while going back, it is rolled back", async (t) => {
	const places = updatePlaces(t);
	await putInPlace(places, attempt);
	await goBack(places, "tried");
	await writeAttempt(places, attempt); // as if it had not been removed
	t.match(await beginStart(places), { is: "usual" });
	t.equal(programOf(places), "old");
});

t.test("several processes that go back at once do it once", async (t) => {
	const places = updatePlaces(t);
	await putInPlace(places, attempt);
	await Promise.all([1, 2, 3, 4].map(() => goBack(places, "tried")));
	t.equal(programOf(places), "old");
	await goBack(places, "again");
	t.equal(programOf(places), "old", "nothing is on trial any more");
});

t.test("what can't be noted, as on a full disk, is rolled back", async (t) => {
	const places = updatePlaces(t);
	await putInPlace(places, attempt);
	mkdirSync(places.refused);
	await goBack(places, "tried");
	t.equal(programOf(places), "old");
	t.match(await beginStart(places), { is: "usual" });
});

t.test("an unreadable record does not prevent a start", async (t) => {
	const places = updatePlaces(t);
	for (const text of ["", "{", "null", '{"schema":2}', "\0\0\0"]) {
		writeFileSync(places.attempt, text);
		t.equal(await readAttempt(places), undefined);
		t.match(await beginStart(places), { is: "usual" });
	}
});
