/** Everything that scripts/fuzz can try, one line each. A file is loaded when its turn comes. */
import type { Target } from "./property.js";

const cuts = () => import("../audio/cuts.property.js");
const damage = () => import("../audio/damage.property.js");
const edits = () => import("../text/edits.property.js");
const fillers = () => import("../text/fillers.property.js");
const phrases = () => import("../text/phrases.property.js");
const reading = () => import("../text/ja/reading.property.js");
const rules = () => import("../text/settled-rules.property.js");
const segmenter = () => import("../segmentation/segmenter.property.js");
const stretches = () => import("../speakers/stretches.property.js");
const voices = () => import("../speakers/voices.property.js");
const words = () => import("../words/rules.property.js");
const zhText = () => import("../text/zh/any-text.property.js");
const planted = () => import("./planted.property.js");

/** By name; a fault was planted in the last one, and it is tried only when it is asked for. */
export const targets: ReadonlyMap<string, Target> = new Map<string, Target>([
	["audio/any-bytes", async () => (await damage()).randomBytesAreJudged()],
	["audio/cuts", async () => (await cuts()).cutsMakeNoDifference()],
	["audio/damaged-wav", async () => (await damage()).damagedWavsAreJudged()],
	[
		"segmentation/events",
		async () => (await segmenter()).eventsKeepTheirOrder(),
	],
	["speakers/stretches", async () => (await stretches()).turnsCoverRegions()],
	["speakers/voices", async () => (await voices()).voicesAreFound()],
	["text/edits", async () => (await edits()).wordsStayWhole()],
	["text/phrases", async () => (await phrases()).foundAsByTrying()],
	["text/en/fillers", async () => (await fillers()).fillersInOrder("en")],
	[
		"text/en/speakNumbers",
		async () => (await rules()).settledRule("en", "speakNumbers"),
	],
	[
		"text/en/writeNumbers",
		async () => (await rules()).settledRule("en", "writeNumbers"),
	],
	["text/ja/fillers", async () => (await fillers()).fillersInOrder("ja")],
	["text/ja/reading", async () => (await reading()).readingLosesNothing()],
	[
		"text/ja/speakNumbers",
		async () => (await rules()).settledRule("ja", "speakNumbers"),
	],
	[
		"text/ja/writeNumbers",
		async () => (await rules()).settledRule("ja", "writeNumbers"),
	],
	[
		"text/ja-en/speakNumbers",
		async () => (await rules()).settledRule("ja-en", "speakNumbers"),
	],
	[
		"text/ja-en/writeNumbers",
		async () => (await rules()).settledRule("ja-en", "writeNumbers"),
	],
	["text/zh/any-text", async () => (await zhText()).writtenInOrder()],
	["text/zh/fillers", async () => (await fillers()).fillersInOrder("zh")],
	[
		"text/zh/speakNumbers",
		async () => (await rules()).settledRule("zh", "speakNumbers"),
	],
	[
		"text/zh/writeNumbers",
		async () => (await rules()).settledRule("zh", "writeNumbers"),
	],
	[
		"text/zh-en/speakNumbers",
		async () => (await rules()).settledRule("zh-en", "speakNumbers"),
	],
	[
		"text/zh-en/writeNumbers",
		async () => (await rules()).settledRule("zh-en", "writeNumbers"),
	],
	["words/rules", async () => (await words()).keptEntriesObeyTheRules()],
	["fuzz/planted", async () => (await planted()).planted()],
]);
