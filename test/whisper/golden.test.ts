/** The fp32 graph with the full context gives the reference's tokens, greedy and with a beam: features, prompt, search and graph agree with the model. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { WhisperDecoder } from "../../runtime/models/whisper/decoder.js";
import { WhisperEncoder } from "../../runtime/models/whisper/encoder.js";
import { SegmentSearch } from "../../runtime/models/whisper/segment-search.js";
import { promptOf } from "../../runtime/models/whisper/shape.js";
import {
	fp32Directory,
	missing,
	readManifest,
	readWav,
	sharedAudio,
} from "./packages.js";

const goldenPath = "../shared/golden/whisper-base-fp32.json";

interface GoldenClip {
	readonly file: string;
	readonly language: string;
	readonly greedy: { readonly tokens: number[]; readonly logprobs: number[] };
	readonly beam5: { readonly tokens: number[] };
	readonly cross_k_0_first: number[];
	readonly cross_v_5_last: number[];
}

t.test(
	"fp32 tokens equal the reference's",
	{
		skip: missing(goldenPath, sharedAudio, fp32Directory),
	},
	async (t) => {
		const shape = readManifest(fp32Directory).whisper;
		if (shape === undefined) throw new Error("not a Whisper package");
		const port = openOnnx();
		const open = (file: string) =>
			port.open(join(fp32Directory, file), { threads: 2 });
		const sessions = [
			await open("encoder.onnx"),
			await open("decoder.onnx"),
		] as const;
		const encoder = new WhisperEncoder(port, sessions[0], shape);
		const decoder = new WhisperDecoder(port, sessions[1], shape);
		const search = new SegmentSearch(decoder);
		const clips: GoldenClip[] = JSON.parse(
			readFileSync(goldenPath, "utf8"),
		).clips;
		for (const clip of clips) {
			const samples = readWav(join(sharedAudio, clip.file));
			const features = encoder.features(samples);
			const request = { samples, language: "en-US" } as const;
			const encoded = await encoder.encode({ features, request }, 30);
			const v = encoded.cross.cross_v_5?.data as Float32Array;
			const last = v.length - shape.state / shape.heads; // [A,H,S,D]: last head, last position
			clip.cross_v_5_last.forEach((value, d) => {
				const got = v[last + d] as number;
				t.ok(Math.abs(got - value) < 2e-3, `cross_v_5: ${got} is ${value}`);
			});
			const k = encoded.cross.cross_k_0?.data as Float32Array; // [A,H,D,S]
			clip.cross_k_0_first.forEach((value, d) => {
				const got = k[d * encoded.positions] as number;
				t.ok(Math.abs(got - value) < 2e-3, `cross_k_0: ${got} is ${value}`);
			});
			for (const [beam, tokens] of [
				[1, clip.greedy.tokens],
				[5, clip.beam5.tokens],
			] as const) {
				const found = await search.find({
					run: decoder.begin(encoded.cross),
					prompt: promptOf(
						shape,
						shape.languageTokens[clip.language] as number,
					),
					prefix: [],
					beam,
					seconds: samples.length / 16_000,
					cancelled: () => false,
				});
				if (found === "cancelled") throw new Error("cancelled");
				t.same(found.tokens, tokens, `${clip.file}, beam ${beam}`);
				if (beam !== 1) continue;
				// The reference's log-probabilities are not renormalised over the allowed tokens.
				found.logp.forEach((logp, i) => {
					const wanted = clip.greedy.logprobs[i] as number;
					t.ok(Math.abs(logp - wanted) < 0.05, `${logp} is near ${wanted}`);
				});
			}
			encoded.dispose();
		}
		for (const session of sessions) await session.close();
	},
);
