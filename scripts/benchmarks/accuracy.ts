/**
 * How many characters (Chinese, Japanese) or words (English) of a hundred are wrong, beside the peers on the same weights, with the same scoring.
 * Usage: scripts/bench accuracy [--only NAME,NAME] [--lang zh,ja,en] [--clips] [--save FILE] [--record]
 * --clips prints each transcript; --save keeps them as JSON.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Clip, isMedium, languages, readClips } from "./clips.js";
import {
	type Contender,
	type ContenderName,
	chooseContenders,
	startContenders,
} from "./contender.js";
import { judged, type Measurement, report } from "./report.js";
import { countErrors, errorPercent, type ScoredLanguage } from "./scoring.js";

interface Scored {
	readonly contender: ContenderName;
	readonly clip: Clip;
	readonly text: string;
	readonly errors: number;
	readonly units: number;
}

/** Points of error that earshot may lie above faster-whisper. */
const pointsMax = 0.5;

const { values } = parseArgs({
	options: {
		only: { type: "string" },
		lang: { type: "string" },
		clips: { type: "boolean", default: false },
		save: { type: "string" },
		record: { type: "boolean", default: false },
	},
});
const clips = (readClips() ?? []).filter(
	(clip) =>
		clip.reference !== undefined &&
		!clip.isPhonetic &&
		(values.lang?.split(",").includes(clip.language) ?? true),
);
if (clips.length === 0) process.exit(1);

const contenders = await startContenders(chooseContenders(values.only), 2);
const scored: Scored[] = [];
for (const clip of clips)
	for (const contender of contenders) scored.push(await score(contender, clip));
for (const contender of contenders) await contender.close();

if (values.save !== undefined)
	writeFileSync(values.save, `${JSON.stringify(scored, null, "\t")}\n`);
printTable();
report(
	languages
		.filter((language) => clips.some((clip) => clip.language === language))
		.map(measurementOf),
	values.record,
);

async function score(contender: Contender, clip: Clip): Promise<Scored> {
	const { path, language, reference = "" } = clip;
	const { text } = await contender.recognize({ path, language });
	const counts = countErrors(reference, text, language);
	if (values.clips)
		console.log(
			`${clip.name} ${contender.name} ${counts.errors}/${counts.units} ${text.trim()}`,
		);
	return { contender: contender.name, clip, text, ...counts };
}

function percentOf(
	contender: ContenderName,
	language: ScoredLanguage,
	medium: boolean,
): string {
	const wanted = scored.filter(
		(one) =>
			one.contender === contender &&
			one.clip.language === language &&
			(!medium || isMedium(one.clip)),
	);
	return wanted.length === 0 ? "-" : errorPercent(wanted).toFixed(2);
}

function printTable(): void {
	for (const medium of [false, true])
		for (const language of languages) {
			const number = clips.filter(
				(clip) => clip.language === language && (!medium || isMedium(clip)),
			).length;
			if (number === 0) continue;
			const title = `${language} ${medium ? "3-10 s" : "all"} (${number})`;
			const cells = contenders.map(
				({ name, version }) =>
					`${version} ${percentOf(name, language, medium)}`,
			);
			console.log(`${title.padEnd(16)} ${cells.join("   ")}`);
		}
}

function measurementOf(language: ScoredLanguage): Measurement {
	const both = (name: ContenderName) =>
		`${percentOf(name, language, false)} (${percentOf(name, language, true)})`;
	const ours = Number(percentOf("earshot", language, false));
	const theirs = Number(percentOf("faster-whisper", language, false));
	const goal = `<= faster-whisper + ${pointsMax}`;
	return {
		what: `accuracy ${language}: ${language === "en" ? "WER" : "CER"} %, all clips (3-10 s)`,
		earshot: both("earshot"),
		fasterWhisper: both("faster-whisper"),
		sherpa: both("sherpa-onnx-node"),
		goal: Number.isFinite(ours + theirs)
			? judged(goal, ours <= theirs + pointsMax)
			: goal,
	};
}
