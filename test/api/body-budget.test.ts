import t from "tap";
import { BodyBudget } from "../../runtime/api/body-budget.js";
import type { ApiRequest, RequestContext } from "../../runtime/api/exchange.js";
import { ownerOf } from "../../runtime/owner.js";

const kibibyte = 1024;

/** A body of 64 KiB chunks, after which its client stalls until it is released. */
function stalling(name: string, chunks: number) {
	let goOn: () => void = () => {};
	const stall = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	let onStall: () => void = () => {};
	const stalled = new Promise<void>((resolve) => {
		onStall = resolve;
	});
	const request = {
		async *body() {
			for (let i = 0; i < chunks; i++) yield new Uint8Array(64 * kibibyte);
			onStall();
			await stall;
		},
	} as unknown as ApiRequest;
	const principal = { owner: ownerOf("token", name) };
	const context = { request, principal } as RequestContext;
	return { context, goOn, stalled };
}

async function readAll(request: ApiRequest): Promise<string> {
	for await (const _ of request.body(1e9));
	return "read";
}

t.test("one caller's slow bodies leave room for another's", async (t) => {
	const budget = new BodyBudget(16 * 64 * kibibyte);
	const slow = stalling("a", 8);
	const first = budget.spend(slow.context, readAll);
	await slow.stalled;
	t.equal(budget.bytes, 8 * 64 * kibibyte);
	await t.rejects(budget.spend(stalling("a", 5).context, readAll), {
		message: /too much is being sent/,
	});
	t.equal(budget.bytes, 8 * 64 * kibibyte, "what was refused is given back");
	const other = stalling("b", 8);
	const second = budget.spend(other.context, readAll);
	await other.stalled;
	for (const { goOn } of [slow, other]) goOn();
	t.same(await Promise.all([first, second]), ["read", "read"]);
	t.equal(budget.bytes, 0);
});
