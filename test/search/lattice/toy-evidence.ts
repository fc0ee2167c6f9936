/** Invented evidence of a syllable recognizer, and a small lexicon. */
import { soundOf } from "../../../runtime/search/lattice/sounds.js";
import type { RecognizedSyllable } from "../../../runtime/search/lattice/syllables.js";
import { openLexicon } from "../../../runtime/text/zh/lexicon.js";
import { buildLexicon } from "../../../runtime/text/zh/lexicon-builder.js";

const dictionary = `广州 2000
广州市 600
市 3000
房地产 900
地产 300
房 800
佛 700
中介 300
中间 1500
中 6000
介 20
间 900
协会 900
分析 1400
发现 3000
是 90000
事 7000
他 30000
她 9000
它 6000
们 3000
他们 20000
在 80000
再 9000
努力 1500
确定 1300
这 30000
次 6000
撞击 200
庄稼 150
的 300000
规模 900
有 70000
十 5000
五 6000
个 40000
苹果 700
平 900
果 300
元 4000
员 500
花 2500
了 150000
行 4000
银行 1200
查良镛 3
`;

let lexicon: ReturnType<typeof openLexicon> | undefined;

/** Made once. */
export function toyLexicon(): ReturnType<typeof openLexicon> {
	const bytes = new TextEncoder().encode(dictionary);
	lexicon ??= openLexicon(buildLexicon(bytes));
	return lexicon;
}

/** Natural log-probability of the best alternative, and of all that are not listed. */
const bestLogp = -0.1;
const otherLogp = -9;

/**
 * @param syllables "fang2 di4", with what else may have been said behind a slash: "fo2/fang-2" means "fang" with a log-probability that is 2 lower;
 * "?" is a symbol that is no syllable.
 */
export function recognizedSyllables(syllables: string): RecognizedSyllable[] {
	return syllables.split(" ").map((text, i) => {
		const [best = "", ...others] = text.split("/");
		const base = best === "?" ? "" : best.slice(0, -1);
		const tone = Number(best.at(-1)) || 5;
		const { initial, final } = soundOf(base);
		const initials = new Map([[initial, bestLogp]]);
		const finals = new Map([[final, bestLogp]]);
		for (const other of others) {
			const [name = "", drop = "0"] = other.split("-");
			const sound = soundOf(name);
			const logp = bestLogp - Number(drop);
			if (!initials.has(sound.initial)) initials.set(sound.initial, logp);
			if (!finals.has(sound.final)) finals.set(sound.final, logp);
		}
		for (const it of ["zh", "b", "l"])
			if (!initials.has(it)) initials.set(it, otherLogp);
		for (const it of ["a", "i", "uang"])
			if (!finals.has(it)) finals.set(it, otherLogp);
		const tonedFinals = new Map<string, number>();
		for (const [name, logp] of finals)
			for (let it = 1; it <= 5; it++)
				tonedFinals.set(`${name}${it}`, logp - (it === tone ? 0.1 : 3));
		const startSeconds = i * 0.2;
		const times = { startSeconds, endSeconds: startSeconds + 0.2 };
		return { base, tone, ...times, logp: 0, initials, finals, tonedFinals };
	});
}
