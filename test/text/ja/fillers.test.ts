import t from "tap";
import { findFillers } from "../../../runtime/text/ja/fillers.js";
import { holds } from "../../fuzz/holds.js";
import { fillersInOrder, inOrder } from "../fillers.property.js";
import { longTexts } from "../numbers.js";

/** Texts with their fillers in brackets. */
const cases: readonly string[] = [
	"[えーと]、明日は休みです。",
	"[えっと]三時に来てください。",
	"[えーっと]、[あのー]、そうですね。",
	"それは[えーと]来週です。",
	"[あの]、すみません。",
	"[あの]すみません、駅はどこですか。",
	"[まあ]、そうですね。",
	"[うーん]、難しいですね。",
	"[なんか]、変な感じがします。",
	"[そのー]、何と言うか。",
	"彼は、[その]、少し変わっている。",
	"[えー]、本日はお越しいただきありがとうございます。",
	"[えー]本日はありがとうございます。",
	"[ええと]、三番です。",
	"[えーとですね]、お名前をお願いします。",
	"はい。[あのー]、予約したいんですが。",
	"[あの]、[えーと]、お願いします。",
	"[んー]、わかりません。",
	// words, not fillers
	"あの人は誰ですか。",
	"あの時は楽しかった。",
	"あのうちに住んでいる。",
	"まあまあです。",
	"まあいいか。",
	"まあ。",
	"なんか変だ。",
	"なんかいい匂いがする。",
	"その人を知っている。",
	"その後、帰りました。",
	"ええ、そうです。",
	"ええと思うよ。",
	"うん、わかった。",
	"うどんを食べる。",
	"えーっ、本当ですか。",
	"考えっとこう。",
	"あーちゃんが来た。",
	"こうして終わった。",
	"",
];

t.test("fillers are found, words that sound like them are not", (t) => {
	for (const marked of cases) {
		const text = marked.replace(/[[\]]/g, "");
		let found = text;
		for (const { from, to } of findFillers(text).toReversed())
			found = `${found.slice(0, from)}[${found.slice(from, to)}]${found.slice(to)}`;
		t.equal(found, marked, marked);
	}
	t.end();
});

await holds(t, fillersInOrder("ja"), 1000);

t.test("spans are in order on long texts", async (t) => {
	for (const text of longTexts)
		t.ok(inOrder(findFillers(text), text), text.slice(0, 9));
});
