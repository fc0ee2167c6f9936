/** What V8 compiled of an executable's program, kept beside its libraries. */
import {
	chmodSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
	PartFolder,
	type PartSource,
} from "../../runtime/executable/part-folder.js";
import { keep, keptIn } from "../../runtime/executable/program-code.js";

const source: PartSource = { parts: [], read: () => Buffer.alloc(0) };
const listOf = (letter: string) => ({
	libraries: [],
	program: { name: "program", bytes: 1, sha256: letter.repeat(64) },
});
const one = listOf("a");
const compiled = Buffer.from("what V8 made of it");

function unpacked(t: Test) {
	const place = join(t.testdir(), "unpacked");
	return { place, folder: PartFolder.open(place, source).path };
}

t.test("is found again, for exactly this program", (t) => {
	const { place, folder } = unpacked(t);
	const elsewhere = join(t.testdirName, "not-there");
	t.equal(keptIn([elsewhere, place], one), undefined);
	keep(folder, one, compiled);
	t.same(keptIn([elsewhere, place], one), compiled);
	t.equal(keptIn([place], listOf("b")), undefined);
	const [name = ""] = readdirSync(folder);
	t.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
	t.end();
});

t.test("takes the place of another version's", (t) => {
	const { place, folder } = unpacked(t);
	keep(folder, one, compiled);
	keep(folder, listOf("b"), compiled);
	t.equal(readdirSync(folder).length, 1);
	t.same(keptIn([place], listOf("b")), compiled);
	t.end();
});

t.test("is not used if it is damaged or cut short", (t) => {
	const { place, folder } = unpacked(t);
	keep(folder, one, compiled);
	const [name = ""] = readdirSync(folder);
	const file = join(folder, name);
	const good = readFileSync(file);
	const bad = Buffer.from(good);
	bad[40] = (bad[40] ?? 0) ^ 1;
	for (const content of [bad, good.subarray(0, 40), good.subarray(0, 5), ""]) {
		writeFileSync(file, content);
		t.equal(keptIn([place], one), undefined);
	}
	writeFileSync(file, good);
	t.same(keptIn([place], one), compiled);
	t.end();
});

t.test("is not used from a folder that others may write to", (t) => {
	const { place, folder } = unpacked(t);
	keep(folder, one, compiled);
	for (const path of [folder, place]) {
		chmodSync(path, 0o777);
		t.equal(keptIn([place], one), undefined);
		chmodSync(path, 0o700);
	}
	t.same(keptIn([place], one), compiled);
	t.end();
});
