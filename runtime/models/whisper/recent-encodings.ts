/**
 * What the encoder computed lately. Speech whose language is open, and a span of mixed speech that may be in either language, is encoded to identify the
 * language and encoded again, the same, for each text: the encoder is half of a short request. INVARIANT: an encoding that somebody uses is not disposed of.
 */
import { pairOf } from "../../text/languages.js";
import type { SegmentRequest } from "../recognizer.js";
import type { EncodedSegment } from "./encoded-segment.js";
import type { SegmentFeatures } from "./segment-features.js";

/** Encoder positions of 20 ms that are kept at most: three short segments or a long one, 37 MB of Whisper base. */
const positionsMax = 1500;
/** Nobody asks later: the queries of a segment follow each other. */
const keptMs = 2000;

/** Known by where its samples are in memory, since other requests have theirs elsewhere; and by its features, since memory is used again. */
export type Sound = Pick<SegmentFeatures, "features"> & {
	readonly request: Pick<
		SegmentRequest,
		"samples" | "language" | "spokenIn" | "languageOnly" | "open"
	>;
};

interface Recent {
	readonly sound: Sound;
	readonly contextSeconds: number;
	/** What it was computed and used for. Who wants the same again gets it computed again: a benchmark, since no segment is recognized twice alike. */
	readonly purposes: Set<string>;
	readonly shared: SharedEncoding;
}

export class RecentEncodings {
	#recent: Recent[] = [];
	#timer: NodeJS.Timeout | undefined;

	/**
	 * @param sound its features do not change.
	 * @param encode called where they were not encoded lately with this context.
	 * @returns to be disposed of by the caller.
	 */
	async get(
		sound: Sound,
		contextSeconds: number,
		encode: () => Promise<EncodedSegment>,
	): Promise<EncodedSegment> {
		const purpose = purposeOf(sound);
		const known = this.#recent.find(
			(it) =>
				it.contextSeconds === contextSeconds &&
				isSame(it.sound, sound) &&
				!it.purposes.has(purpose),
		);
		if (known) {
			known.purposes.add(purpose);
			return known.shared.use();
		}
		if (!isWantedAgain(sound)) return encode();
		const shared = new SharedEncoding(await encode());
		const used = shared.use();
		const purposes = new Set([purpose]);
		this.#keep({ sound, contextSeconds, purposes, shared });
		return used;
	}

	clear(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		for (const { shared } of this.#recent.splice(0)) shared.release();
	}

	#keep(recent: Recent): void {
		this.#recent.push(recent);
		let positions = 0;
		const lastToGo = this.#recent.findLastIndex((it) => {
			positions += it.shared.positions;
			return positions > positionsMax;
		});
		for (const { shared } of this.#recent.splice(0, lastToGo + 1))
			shared.release();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.clear(), keptMs).unref();
	}
}

/** An encoding and how many use it: the first is who made it. */
class SharedEncoding {
	readonly #encoded: EncodedSegment;
	#uses = 1;

	constructor(encoded: EncodedSegment) {
		this.#encoded = encoded;
	}

	get positions(): number {
		return this.#encoded.positions;
	}

	use(): EncodedSegment {
		this.#uses++;
		let isUsed = true;
		const { cross, positions } = this.#encoded;
		return {
			cross,
			positions,
			dispose: () => {
				if (isUsed) this.release();
				isUsed = false;
			},
		};
	}

	release(): void {
		if (--this.#uses === 0) this.#encoded.dispose();
	}
}

/**
 * The text of one language is all that is wanted of it: keeping it would take memory for nothing. So would the text of speech that goes on, since the next one is of
 * more speech.
 */
function isWantedAgain({ request }: Sound): boolean {
	if (request.languageOnly) return true;
	return pairOf(request.language) !== undefined && !request.open;
}

function purposeOf({ request }: Sound): string {
	const { language, spokenIn, languageOnly } = request;
	return [language, spokenIn, languageOnly].join();
}

function isSame(a: Sound, b: Sound): boolean {
	return (
		a.request.samples.buffer === b.request.samples.buffer &&
		a.request.samples.byteOffset === b.request.samples.byteOffset &&
		a.features.length === b.features.length &&
		bytesOf(a.features).equals(bytesOf(b.features))
	);
}

function bytesOf(values: Float32Array): Buffer {
	return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}
