import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { fits } from "../../runtime/json/json-schema.js";
import { fitsUncompiled } from "../../runtime/json/uncompiled-schema.js";
import { manifestSchema } from "../../runtime/models/manifest.js";

/** What stands in for each value of a manifest, one after the other. */
const others = [
	...[null, true, -1, 0, 1.5, 1e300, "", "a", "../a", "zh-cmn-Hans-CN"],
	...[[], [null], [1, 1], ["a", "a"], {}, { a: 1 }],
];

const packages = ["whisper-base", "silero-vad", "segmentation-3.0"];

for (const name of packages)
	t.test(`${name}: both say the same, whatever is damaged`, async (t) => {
		const path = join("models", name, "model.json");
		const manifest = JSON.parse(readFileSync(path, "utf8"));
		t.ok(fitsUncompiled(manifestSchema, manifest));
		let refused = 0;
		for (const [what, damaged] of damagedOf(manifest)) {
			const wanted = fits(manifestSchema, damaged);
			if (fitsUncompiled(manifestSchema, damaged) !== wanted)
				t.fail(`${what}: compiled, it says ${wanted}`);
			if (!wanted) refused++;
		}
		t.ok(refused > 100, `${refused} were refused`);
	});

/** With each value replaced, left out, or joined by one of another name. */
function* damagedOf(value: unknown): Generator<[what: string, value: unknown]> {
	for (const other of others) yield [JSON.stringify(other), other];
	if (typeof value !== "object" || value === null) return;
	for (const key of Object.keys(value)) {
		const { [key]: inner, ...rest } = value as Record<string, unknown>;
		const whole = (it: object) =>
			Array.isArray(value) ? Object.values(it) : it;
		yield [`no ${key}`, whole(rest)];
		for (const [what, damaged] of damagedOf(inner))
			yield [`${key}: ${what}`, whole({ ...value, [key]: damaged })];
	}
	if (!Array.isArray(value)) yield ["another", { ...value, another: 1 }];
}
