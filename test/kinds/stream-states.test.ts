/** Whose memory the states of a streaming encoder are: each is given back once when nobody can come back to it. */
import t from "tap";
import { KaldiFbank } from "../../runtime/features/kaldi-fbank.js";
import { SegmentStream } from "../../runtime/models/streaming/segment-stream.js";
import type {
	EncoderState,
	StreamEncoder,
} from "../../runtime/models/streaming/stream-encoder.js";

const fbank = new KaldiFbank(
	{ mels: 8, window: "povey", highHz: 7600, snipEdges: false, scale: 1 },
	undefined,
);

class CountingEncoder implements StreamEncoder {
	readonly shape = { chunkFrames: 20, hopFrames: 10, mels: 8 };
	readonly takesMany = false;
	readonly initial: EncoderState = { tensors: [], floats: undefined };
	/** How often each was given back. */
	readonly made = new Map<EncoderState, number>();

	async encode() {
		const next: EncoderState = { tensors: [], floats: new Float32Array(1) };
		this.made.set(next, 0);
		return { frames: new Float32Array(1), count: 1, width: 1, next };
	}

	release(state: EncoderState): void {
		const times = this.made.get(state);
		if (times !== undefined) this.made.set(state, times + 1);
	}
}

function streamOf(encoder: StreamEncoder) {
	const search = { start: 0, advance: async (found: number) => found + 1 };
	return new SegmentStream(fbank, encoder, search, { tailSeconds: 0.5 });
}

t.test("a segment that ended gives every state back, once", async (t) => {
	const encoder = new CountingEncoder();
	const stream = streamOf(encoder);
	await stream.decode(new Float32Array(16_000), true);
	await stream.decode(new Float32Array(40_000), false);
	const kept = [...encoder.made.values()].filter((times) => times === 0);
	t.equal(kept.length, 6, "the latest are kept for a later request");
	stream.end();
	t.ok(encoder.made.size > 20);
	t.ok([...encoder.made.values()].every((times) => times === 1));
});

t.test("after its end a segment is decoded from its start", async (t) => {
	const encoder = new CountingEncoder();
	const stream = streamOf(encoder);
	const samples = new Float32Array(40_000);
	const first = await stream.decode(samples, false);
	stream.end();
	const again = await stream.decode(samples, false);
	if (first === "cancelled" || again === "cancelled") throw new Error("no");
	t.equal(again.found, first.found);
});
