/**
 * The cross-attention heads that follow the audio, as OpenAI published them for each size; for sources whose configuration does not name them.
 */
import type { AlignmentHeads } from "./decoder-graph.js";
import { badSource } from "./weights.js";
import type { Sizes } from "./whisper-sizes.js";

/** By encoder layers, decoder layers and mels. (large-v1 and v2 have the same sizes: v2's heads are used.) */
const published: Readonly<Record<string, AlignmentHeads>> = {
	"4/4/80": pairs("2.2 3.0 3.2 3.3 3.4 3.5"), // tiny
	"6/6/80": pairs("3.1 4.2 4.3 4.7 5.1 5.2 5.4 5.6"), // base
	"12/12/80": pairs("5.3 5.9 8.0 8.4 8.7 8.8 9.0 9.7 9.9 10.5"), // small
	"24/24/80": pairs("13.15 15.4 15.15 16.1 20.0 23.4"), // medium
	"32/32/80": pairs(
		"10.12 13.17 16.11 16.12 16.13 17.15 17.16 18.4 18.11 18.19 19.11 21.2 21.3 22.3 22.9 22.12 23.5 23.7 23.13 25.5 26.1 26.12 27.15",
	), // large-v2
	"32/32/128": pairs("7.0 10.17 12.18 13.12 16.1 17.14 19.11 21.4 24.1 25.6"), // large-v3
	"32/4/128": pairs("2.4 2.11 3.3 3.6 3.11 3.14"), // large-v3-turbo
};

function pairs(text: string): AlignmentHeads {
	return text.split(" ").map((pair) => {
		const [layer = 0, head = 0] = pair.split(".").map(Number);
		return [layer, head] as const;
	});
}

/** @param configured value in the source's configuration, if any. @returns heads ordered by layer. */
export function alignmentHeadsOf(
	configured: unknown,
	sizes: Sizes,
): AlignmentHeads {
	const { encoderLayers, decoderLayers, mels } = sizes;
	const heads =
		configured === undefined || configured === null
			? (published[`${encoderLayers}/${decoderLayers}/${mels}`] ??
				upperHalf(sizes))
			: checkedHeads(configured, sizes);
	return [...heads].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** OpenAI's default for other models: all heads of the upper half of the layers. */
function upperHalf({ decoderLayers, heads }: Sizes): AlignmentHeads {
	const found: [number, number][] = [];
	for (let layer = decoderLayers >> 1; layer < decoderLayers; layer++)
		for (let head = 0; head < heads; head++) found.push([layer, head]);
	return found;
}

function checkedHeads(configured: unknown, sizes: Sizes): AlignmentHeads {
	const { decoderLayers, heads } = sizes;
	const isIndex = (value: unknown, end: number) =>
		Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
	const good =
		Array.isArray(configured) &&
		configured.length > 0 &&
		configured.every(
			(pair) =>
				Array.isArray(pair) &&
				pair.length === 2 &&
				isIndex(pair[0], decoderLayers) &&
				isIndex(pair[1], heads),
		) &&
		new Set(configured.map(String)).size === configured.length;
	if (!good)
		throw badSource(
			`alignment_heads of the configuration should be [layer, head] pairs within ${decoderLayers} layers of ${heads} heads, each of them once`,
		);
	return configured as [number, number][];
}
