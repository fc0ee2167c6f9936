/** V8 does what it was asked for: its flags are its own, and a release may drop one without a word. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";

const mebibyte = 1024 * 1024;
const fixture = join(import.meta.dirname, "fixtures/garbage.js");

async function youngMebibytes(...words: string[]): Promise<number> {
	const { stdout } = await promisify(execFile)(process.execPath, [
		fixture,
		...words,
	]);
	return Number(stdout) / mebibyte;
}

t.test("the young generation of a server stays small", async (t) => {
	const usual = await youngMebibytes();
	const own = await youngMebibytes("collectOften");
	t.ok(own <= 2, `${own} MB`);
	t.ok(usual > 2 * own, `without it: ${usual} MB`);
});
