/** The suite draws nothing at random: what a test needs is made from a seed (test/fuzz/random.ts) or counted (test/fixtures/ids.ts). Keys of signatures are the exception. */
import { readFileSync } from "node:fs";
import t from "tap";
import { sourcesOf } from "./sources.js";

const draws =
	/\bMath\.random\b|\b(?:randomBytes|randomInt|randomUUID|randomFill(?:Sync)?|getRandomValues)\b/;

t.test("no test draws numbers, bytes or ids at random", async (t) => {
	const found = sourcesOf("test")
		.filter((path) => !path.endsWith("no-chance.test.ts"))
		.filter((path) => draws.test(readFileSync(path, "utf8")));
	t.strictSame(found, []);
	t.match("const id = randomBytes(8);", draws);
});
