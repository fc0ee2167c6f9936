import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import t from "tap";
import { targets } from "./targets.js";

async function fuzz(...args: string[]) {
	const child = spawn("scripts/fuzz", args, {
		stdio: ["ignore", "pipe", "pipe"],
	});
	const ended = new Promise((resolve) => child.on("close", resolve));
	const [out, trouble] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
	]);
	return { code: await ended, out, trouble };
}

t.test("a planted fault is found, made small, and found again", async (t) => {
	// it ends when it is found: one text in six is none, and a busy machine has one case in a second
	const first = await fuzz("fuzz/planted", "--seconds", "600");
	t.equal(first.code, 1);
	t.match(first.out, /^seed \d+\nfuzz\/planted: not so: no text has a b/);
	t.match(first.out, /smallest case: 'ab'\n {2}Error: a b behind an a\n/);
	t.match(first.out, /not ok - fuzz\/planted: \d+ cases in/);
	const [, seed] =
		/again: scripts\/fuzz fuzz\/planted --seed (\d+)/.exec(first.out) ?? [];
	const again = await fuzz("fuzz/planted", "--seed", `${seed}`);
	t.equal(again.code, 1);
	t.match(again.out, /smallest case: 'ab'\n/);
	t.match(again.out, /not ok - fuzz\/planted: 1 cases in/);
});

t.test("properties of a folder take turns", async (t) => {
	const { code, out } = await fuzz("text/en", "--seconds", "1", "--seed", "7");
	t.equal(code, 0, out);
	t.match(out, /^seed 7\n/);
	for (const name of ["fillers", "speakNumbers", "writeNumbers"])
		t.match(out, new RegExp(`ok - text/en/${name}: [1-9]\\d* cases in`));
});

t.test("what is not there is said", async (t) => {
	const nothing = await fuzz("text/eng");
	t.equal(nothing.code, 2);
	t.match(nothing.trouble, /there is no text\/eng; there are: .*text\/edits/);
	t.match(await fuzz("--seconds", "soon"), {
		code: 2,
		trouble: /--seconds soon: not a whole number/,
	});
});

t.test("every property can be asked for by its name", async (t) => {
	const files = readdirSync("test", { recursive: true, encoding: "utf8" });
	let found = 0;
	for (const file of files.filter((it) => it.endsWith(".property.ts"))) {
		const source = readFileSync(`test/${file}`, "utf8");
		for (const [, name = ""] of source.matchAll(
			/\bname: "([^"]+)",\s+promise:/g,
		)) {
			t.ok(targets.has(name), `${name} of ${file}`);
			found++;
		}
	}
	t.ok(found > 30, `${found} were found`);
});
