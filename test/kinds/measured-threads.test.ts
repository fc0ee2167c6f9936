import t from "tap";
import { openWithMeasuredThreads } from "../../runtime/models/streaming/measured-threads.js";
import type { EncoderState } from "../../runtime/models/streaming/stream-encoder.js";

const initial: EncoderState = { tensors: [], floats: undefined };

/** A model whose chunks take a given time by a clock of its own. */
function device(msOf: (threads: number, chunk: number) => number) {
	let ms = 0;
	const opened: number[] = [];
	const open: number[] = [];
	return {
		opened,
		open,
		choose: (threads: number) =>
			openWithMeasuredThreads(
				threads,
				async (count) => {
					opened.push(count);
					open.push(count);
					let chunks = 0;
					return {
						threads: count,
						encoder: {
							shape: { chunkFrames: 45, hopFrames: 32, mels: 80 },
							initial,
							takesMany: false,
							encode: async () => {
								ms += msOf(count, chunks++);
								return {
									frames: new Float32Array(0),
									count: 0,
									width: 0,
									next: initial,
								};
							},
							release: () => {},
						},
						close: async () => {
							open.splice(open.indexOf(count), 1);
						},
					};
				},
				() => ms,
			),
	};
}

for (const [what, two, one, chosen] of [
	["one thread is faster", 6.5, 5, 1],
	["two threads gain little", 4.8, 5, 1],
	["two threads gain much", 3.5, 5, 2],
] as const)
	t.test(`${what}: ${chosen} is used, the other closed`, async (t) => {
		const { choose, open } = device((threads) => (threads === 1 ? one : two));
		const { threads } = await choose(2);
		t.equal(threads, chosen);
		t.strictSame(open, [chosen]);
	});

t.test(
	"the first chunk, and one that other work delays, do not count",
	async (t) => {
		const { choose } = device((threads, chunk) =>
			chunk % 3 === 0 ? 35 : threads === 1 ? 5 : 3,
		);
		t.equal((await choose(4)).threads, 4);
	},
);

t.test("a large model is opened once", async (t) => {
	const { choose, opened } = device(() => 60);
	t.equal((await choose(2)).threads, 2);
	t.strictSame(opened, [2]);
});

t.test("so is one for a single thread", async (t) => {
	const { choose, opened } = device(() => 5);
	t.equal((await choose(1)).threads, 1);
	t.strictSame(opened, [1]);
});

t.test("a model that can't encode is closed", async (t) => {
	const { choose, open } = device((threads) => {
		if (threads === 1) throw new Error("the encoder's output is not finite");
		return 5;
	});
	await t.rejects(choose(2), { message: /not finite/ });
	t.strictSame(open, []);
});
