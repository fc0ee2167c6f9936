/** Decodes a group of segments in one batch of the decoder: each is encoded into its place of the cross-attention cache, then all take their steps together. */
import type { Hypothesis } from "../recognizer.js";
import type { CrossAttentionCache } from "./cross-attention-cache.js";
import type { WhisperDecoder } from "./decoder.js";
import { DecoderBatch } from "./decoder-batch.js";
import { secondContextFor, type WhisperEncoder } from "./encoder.js";
import type { IdentifiedLanguage } from "./language-identification.js";
import type { WhisperParts } from "./parts.js";
import {
	positionsPerSecond,
	type SegmentBatching,
} from "./segment-batching.js";
import {
	type Contexts,
	losesPrefix,
	type WhisperSegmentDecoder,
} from "./segment-decoder.js";
import type { SegmentFeatures } from "./segment-features.js";

export class GroupDecoder {
	readonly #encoder: WhisperEncoder;
	readonly #decoder: WhisperDecoder;
	readonly #crossCache: CrossAttentionCache;
	readonly #segmentDecoder: WhisperSegmentDecoder;
	readonly #batching: SegmentBatching;

	constructor(
		{ encoder, decoder, crossCache }: WhisperParts,
		segmentDecoder: WhisperSegmentDecoder,
		batching: SegmentBatching,
	) {
		this.#encoder = encoder;
		this.#decoder = decoder;
		this.#crossCache = crossCache;
		this.#segmentDecoder = segmentDecoder;
		this.#batching = batching;
	}

	/** One group at a time: all use the one cache. */
	async decode(
		group: readonly SegmentFeatures[],
	): Promise<(Hypothesis | "cancelled")[]> {
		const contexts = group.map(({ request }) => {
			const first = this.#batching.contextOf(request);
			return { first, second: secondContextFor(first) };
		});
		const [only] = group;
		if (!only) return [];
		if (group.length === 1)
			return [await this.#segmentDecoder.decode(only, contexts[0] as Contexts)];
		try {
			return await this.#decodeTogether(group, contexts);
		} finally {
			this.#crossCache.batchEnded();
		}
	}

	async #decodeTogether(
		group: readonly SegmentFeatures[],
		contexts: readonly Contexts[],
	): Promise<(Hypothesis | "cancelled")[]> {
		const crossCache = this.#crossCache;
		const longest = Math.max(...contexts.map(({ first }) => first));
		crossCache.clear(group.length, longest * positionsPerSecond);
		/** Absent: cancelled before its sound was encoded, or apart. */
		const languages = new Map<number, IdentifiedLanguage>();
		/** What precedes their texts is not as long as that of the others. */
		const apart = new Set<number>();
		for (const [place, sound] of group.entries()) {
			if (sound.request.cancelled?.()) continue;
			const { first } = contexts[place] as Contexts;
			const encoded = await this.#encoder.encode(sound, first);
			try {
				const { languages: identification } = this.#segmentDecoder;
				const spoken = await identification.identify(sound, encoded);
				if (losesPrefix(sound.request, spoken.reported.spokenIn)) {
					apart.add(place);
					continue;
				}
				languages.set(place, spoken);
				crossCache.put(place, encoded.cross, encoded.positions);
			} finally {
				encoded.dispose();
			}
		}
		const batch = new DecoderBatch(this.#decoder, crossCache, group.length);
		const { members } = batch;
		const decoded = members.map(async (member, place) => {
			const spoken = languages.get(place);
			if (!spoken) return "cancelled";
			const encoded = {
				get cross() {
					return batch.crossOf(member);
				},
				positions: longest * positionsPerSecond,
				dispose: () => member.leave(),
			};
			const started = { encoded, run: member, spoken };
			const own = group[place] as SegmentFeatures;
			return this.#segmentDecoder.decode(
				own,
				contexts[place] as Contexts,
				started,
			);
		});
		for (const [place, member] of members.entries())
			if (!languages.has(place)) batch.leave(member);
		await Promise.allSettled(decoded); // one that fails must not leave the others in the next batch's cache
		const results = await Promise.all(decoded);
		for (const place of apart)
			results[place] = await this.#segmentDecoder.decode(
				group[place] as SegmentFeatures,
				contexts[place] as Contexts,
			);
		return results;
	}
}
