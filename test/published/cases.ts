/** Inputs of both earshot and sherpa-onnx: models and audio. Recorded by scripts/models/published-answers. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	writeTinyZipformer,
	zipformer2States,
	zipformerStates,
} from "./tiny-graphs.js";
import { writeTinySenseVoice } from "./tiny-sense-voice.js";

export const realModel = "../shared/models/zipformer-zh-3.3M";
const clips = [
	"test/clips/en-librivox-0880.wav",
	"test/clips/ja-kokoro-station.wav",
];

export interface Case {
	readonly name: string;
	readonly folder: string;
	readonly clips: readonly string[];
	readonly kind: "zipformer" | "sense-voice";
}

/** Written to a temporary folder; `dispose` removes it. */
export function publishedCases(): { cases: Case[]; dispose: () => void } {
	const folder = mkdtempSync(join(tmpdir(), "earshot-published-"));
	mkdirSync(folder, { recursive: true });
	const tiny = (name: string, kind: Case["kind"]): Case => ({
		name,
		folder: join(folder, name),
		clips,
		kind,
	});
	writeTinyZipformer(join(folder, "tiny-zipformer"), zipformerStates(), 5);
	writeTinyZipformer(join(folder, "tiny-zipformer2"), zipformer2States(), 6);
	writeTinySenseVoice(join(folder, "tiny-sense-voice"), 7);
	const real: Case = {
		name: "zipformer-zh-3.3M",
		folder: realModel,
		clips: [0, 1, 2, 3, 4, 5].map((it) => join(realModel, `${it}.wav`)),
		kind: "zipformer",
	};
	return {
		cases: [
			tiny("tiny-zipformer", "zipformer"),
			tiny("tiny-zipformer2", "zipformer"),
			tiny("tiny-sense-voice", "sense-voice"),
			...(existsSync(realModel) ? [real] : []),
		],
		dispose: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** One recorded answer. */
export interface Answer {
	readonly model: string;
	readonly clip: string;
	/** Hypotheses kept; 1 is greedy search. For SenseVoice: 1 and with marks, 2 and without. */
	readonly beam: number;
	readonly text: string;
	readonly tokens: readonly string[];
	readonly seconds: readonly number[];
	/** Natural logarithm of each token's probability; empty where it is not available. */
	readonly logp: readonly number[];
}
