/** Slots and the queue for them, shared between callers. */
import t, { type Test } from "tap";
import { Admission, type Release } from "../../runtime/engine/admission.js";
import type { CodedError } from "../../runtime/errors.js";
import type { Owner } from "../../runtime/owner.js";
import {
	localDevice,
	type RecognitionCaller,
} from "../../runtime/session/lane-port.js";

const a: Owner = "token:a";
const b: Owner = "token:b";
const c: Owner = "token:c";

function admissionOf(slots: number, queueMax: number, shareMax = 0.75) {
	const admission = new Admission({
		slots: () => slots,
		queueMax,
		queueMsMax: 20_000,
		shareMax,
	});
	/** Admitted callers in order, each with its release. */
	const admitted: {
		readonly asker: RecognitionCaller;
		readonly release: Release;
	}[] = [];
	const waits = async (
		asker: RecognitionCaller,
		signal?: AbortSignal,
	): Promise<void> => {
		const release = await admission.acquire(asker, signal);
		admitted.push({ asker, release });
	};
	return { admission, admitted, waits };
}

async function refused(
	t: Test,
	promise: Promise<unknown>,
	why: RegExp,
): Promise<void> {
	await t.rejects(promise, why);
	await promise.catch((error: CodedError) => t.equal(error.status, "100004"));
}

t.test("a caller leaves a quarter of the slots to others", async (t) => {
	const { admission, admitted, waits } = admissionOf(8, 0);
	for (let i = 0; i < 6; i++) await waits(a);
	await refused(t, waits(a), /reserved for other callers/);
	t.match(admission, { busy: 6, refused: 1 });
	await waits(b);
	await waits(b);
	await refused(t, waits(c), /the queue is full/);
	admitted[0]?.release();
	await waits(c);
});

t.test(
	"of two slots a caller gets one; a single slot is open to any caller",
	async (t) => {
		const two = admissionOf(2, 0);
		await two.waits(a);
		await refused(t, two.waits(a), /reserved for other callers/);
		await two.waits(b);
		const one = admissionOf(1, 0);
		await one.waits(a);
		await refused(t, one.waits(b), /queue is full/);
		one.admitted[0]?.release();
		await one.waits(b);
	},
);

t.test("with a share of 1 one caller takes all", async (t) => {
	const { waits } = admissionOf(4, 0, 1);
	for (let i = 0; i < 4; i++) await waits(a);
	await refused(t, waits(b), /queue is full/);
});

t.test(
	"the caller that holds the fewest is next, and equals take turns",
	async (t) => {
		const { admission, admitted, waits } = admissionOf(1, 8, 1);
		await waits(localDevice);
		const all = [a, a, a, b, b, c].map((it) => waits(it));
		t.equal(admission.queued, 6);
		for (let i = 0; i < 7; i++) {
			admitted[i]?.release();
			await new Promise(setImmediate);
		}
		await Promise.all(all);
		t.same(
			admitted.map((it) => it.asker),
			[localDevice, a, b, c, a, b, a],
		);
		t.match(admission, { busy: 0, queued: 0 });

		const more = admissionOf(2, 8, 1);
		await more.waits(a);
		await more.waits(b);
		const later = [more.waits(a), more.waits(c)];
		more.admitted[1]?.release();
		await later[1];
		t.equal(more.admitted.at(-1)?.asker, c, "who came later holds none");
		more.admitted[0]?.release();
		await later[0];
	},
);

t.test("a caller leaves a quarter of the queue to others", async (t) => {
	const { admission, waits } = admissionOf(1, 4);
	await waits(localDevice);
	const abort = new AbortController();
	const waiting = [a, a, a].map((it) => waits(it, abort.signal));
	await refused(t, waits(a), /as many queued requests as it may/);
	waiting.push(waits(b, abort.signal));
	t.equal(admission.queued, 4);
	await refused(t, waits(c), /the queue is full/);
	abort.abort(new Error("gone"));
	for (const it of waiting) await t.rejects(it, /gone/);
	t.equal(admission.queued, 0);
});

t.test(
	"a caller waiting over its share is not refused before the maximum wait",
	async (t) => {
		const { admission, admitted, waits } = admissionOf(4, 4);
		for (let i = 0; i < 3; i++) await waits(a);
		const fourth = waits(a);
		t.match(admission, { busy: 3, queued: 1 });
		await waits(b);
		t.match(admission, { busy: 4, queued: 1 }, "others pass it");
		admitted[0]?.release();
		await fourth;
		t.match(admission, { busy: 4, queued: 0 });
	},
);

t.test(
	"the device's own recognitions count against no caller's share",
	async (t) => {
		const { admission, admitted, waits } = admissionOf(4, 4);
		for (let i = 0; i < 3; i++) await waits(a);
		await waits(localDevice);
		const waiting = [waits(b), waits(localDevice)];
		admitted[0]?.release();
		await waiting[1];
		t.equal(admitted.at(-1)?.asker, localDevice, "and wait behind nobody");
		admitted[1]?.release();
		await waiting[0];
		t.equal(admission.busy, 4);
		const four = admissionOf(4, 0);
		for (let i = 0; i < 2; i++) await four.waits(localDevice);
		await four.waits(a);
		await refused(t, four.waits(a), /reserved for other callers/);
		await four.waits(b);
		const all = admissionOf(4, 0);
		for (let i = 0; i < 4; i++) await all.waits(localDevice);
	},
);

t.test("who would get its slot back", async (t) => {
	const { admission, admitted, waits } = admissionOf(4, 1);
	for (let i = 0; i < 3; i++) await waits(a);
	await waits(localDevice);
	t.equal(admission.mayReturn(localDevice), true);
	t.equal(admission.mayReturn(a), false, "it holds three of three");
	admitted[0]?.release();
	t.equal(admission.mayReturn(a), true);
	await waits(b);
	const waiting = waits(c);
	for (const caller of [a, b, localDevice] as const)
		t.equal(admission.mayReturn(caller), false, "it would be that of c");
	admitted[1]?.release();
	await waiting;
	let slots = 2;
	const fewer = new Admission({
		slots: () => slots,
		queueMax: 1,
		queueMsMax: 20_000,
		shareMax: 0.75,
	});
	for (let i = 0; i < 2; i++) await fewer.acquire(localDevice);
	t.equal(fewer.mayReturn(localDevice), true);
	slots = 1;
	t.equal(fewer.mayReturn(localDevice), false, "a slower device has fewer");
});
