/** Texts as no person writes them: every script and sign a rule may meet, in any order. */
import { seededRandom } from "../features/seeded-random.js";

const pieces: readonly string[] = [
	..."〇零一二三四五六七八九十百千万億兆年月日時分秒半円人番度点第回本個から約",
	..."0123456789.,:/-%$¥€£°#+",
	..."０９．，％〜～ー・、。！？「」（）",
	..."あのえーっとまあうんなかがにをは",
	..."アゼロキメートルパーセントヶッツ",
	..."ｱｶﾞﾊﾟ",
	..."這個那个块点半两幺百分之",
	"分の",
	"パーセント",
	"バージョン",
	" ",
	"  ",
	"\n",
	"\t",
	"one",
	"two ",
	" twenty ",
	" twenty-three ",
	" hundred ",
	" thousand ",
	" million ",
	" and ",
	" point ",
	" oh ",
	" to ",
	" percent ",
	" dollars ",
	" cents ",
	" march ",
	" may ",
	" fifth ",
	" first ",
	" of ",
	" the ",
	" at ",
	" p m ",
	" p.m. ",
	" o'clock ",
	" half ",
	" past ",
	" version ",
	" minus ",
	" uh ",
	", you know, ",
	"km",
	"GB",
	"A4",
	"v2.1",
	"5G",
	"2026-03-05",
	"10:30",
	"3/4",
	"1,234.5",
	"03-1234-5678",
	"😀",
	"👨‍👩‍👧",
	"か\u3099",
	"e\u0301",
	"مرحبا",
	"שלום",
	"𠮷",
	"\ud800",
	"\u0000",
	"\u200b",
	"\ufeff",
];

/** A test's texts; its seed is printed so that a failure can be seen again. */
export function* randomTexts(
	t: { comment(text: string): void },
	count: number,
	piecesMax = 40,
): Generator<string> {
	const { random, seed } = seededRandom();
	t.comment(`EARSHOT_TEST_SEED=${seed}`);
	for (let i = 0; i < count; i++) {
		let text = "";
		const length = Math.floor(random() * piecesMax);
		for (let k = 0; k < length; k++)
			text += pieces[Math.floor(random() * pieces.length)];
		yield text;
	}
}
