/** Chinese rules on texts that nobody would say: they end, and say the same the second time. */
import t from "tap";
import { type Edit, editText } from "../../../runtime/text/edits.js";
import { zh } from "../../../runtime/text/zh/rules.js";
import { seededRandom } from "../../features/seeded-random.js";

const pieces = [
	..."零〇一幺二两三四五六七八九十百千万亿几半第负点分之年月日号时秒块元毛角个人天周次度米比到至加减又后折多来嗯呃额那个这就是说，。 0123456789.,:：-/%¥$～AbG",
	..."𠮷🎉é\u0301\u200dشｱ０９",
	"百分之",
	"分之",
	"星期",
	"一起",
	"三里屯",
	"零下",
];

t.test("any text is written without end or error", async (t) => {
	const { random, seed } = seededRandom();
	t.comment(`EARSHOT_TEST_SEED=${seed}`);
	const text = (length: number) =>
		Array.from(
			{ length },
			() => pieces[Math.floor(random() * pieces.length)] as string,
		).join("");
	for (let round = 0; round < 4000; round++) {
		const given = text(1 + Math.floor(random() * 16));
		for (const rule of ["writeNumbers", "speakNumbers"] as const) {
			const edits = zh[rule](given);
			if (!areApart(edits, given))
				t.fail("apart and in order", { seed, rule, given, edits });
		}
	}
	for (const rule of ["writeNumbers", "speakNumbers", "fillers"] as const)
		zh[rule](text(10_000));
	t.pass("4000 rounds");
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

function areApart(edits: readonly Edit[], text: string): boolean {
	let end = 0;
	for (const { from, to } of edits) {
		if (from < end || to < from || to > text.length) return false;
		end = to;
	}
	return editText(text, edits) !== undefined;
}
