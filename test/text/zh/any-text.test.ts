/** Chinese rules on unusual texts: they terminate, with edits in order, and change nothing the second time. */
import t from "tap";
import { rulesOf } from "../../../runtime/text/registry.js";
import { holds } from "../../fuzz/holds.js";
import { randomOf } from "../../fuzz/random.js";
import { settledRule } from "../settled-rules.property.js";
import { chineseText, writtenInOrder } from "./any-text.property.js";

const zh = rulesOf["zh-cmn-Hans-CN"];

await holds(t, writtenInOrder(), 2000);
for (const rule of ["writeNumbers", "speakNumbers"] as const)
	await holds(t, settledRule("zh", rule), 1000);

t.test("10,000 pieces are processed in time", async (t) => {
	const text = chineseText(randomOf(1), 10_000);
	for (const rule of ["writeNumbers", "speakNumbers", "fillers"] as const)
		t.ok(zh[rule](text).length > 0, rule);
});

t.test("long runs take no longer than long texts", async (t) => {
	for (const one of [
		"一",
		"十",
		"万",
		"点",
		"1",
		"1.",
		"1,",
		"百分之",
		"三点",
		"零",
		"嗯",
		"那个，",
		"-",
		"第",
		"1/",
		"1:",
	])
		for (const rule of ["writeNumbers", "speakNumbers", "fillers"] as const)
			zh[rule](one.repeat(20_000));
	t.pass();
});
