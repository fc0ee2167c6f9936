/** Receivers that never answer, beside ones that do. No test waits for a clock: the order of events is what counts. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import type { Owner } from "../../runtime/owner.js";
import { patient, receiver, runningTasks } from "./running-tasks.js";

type Running = Awaited<ReturnType<typeof runningTasks>>;

/** Accepts every request and answers none. @returns its address, and the pending requests. */
async function tarpit(t: Test) {
	const held: string[] = [];
	const server = createServer((request) => held.push(request.url ?? ""));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/tarpit`, held };
}

/** Finished tasks with callbacks to that address. */
async function finishedTasks(
	running: Running,
	urls: readonly string[],
	owner: Owner,
): Promise<readonly string[]> {
	const ids: string[] = [];
	for (const callbackUrl of urls)
		ids.push(await running.submit(["one"], { callbackUrl }, owner));
	for (const id of ids) await running.finished(id);
	return ids;
}

function triesOf(running: Running, ids: readonly string[]): number {
	const { outbox } = running.store;
	return ids.reduce((sum, id) => sum + (outbox.find(id)?.tries.length ?? 0), 0);
}

t.test("a receiver that never answers gets one call at a time", async (t) => {
	const running = await runningTasks(t, { transport: patient });
	const { url, held } = await tarpit(t);
	const stuck = await finishedTasks(running, Array(6).fill(url), "token:a");
	const quick = await receiver(t);
	const urls = Array(5).fill(quick.url);
	await finishedTasks(running, urls, "token:a");
	await quick.count(5);
	t.equal(held.length, 1, "the others wait for its turn");
	t.equal(triesOf(running, stuck), 0, "the others did not wait for it");
	t.ok(running.callbacks.waiting >= 6);
});

t.test("an owner's slow receivers leave room for other owners", async (t) => {
	const running = await runningTasks(t, { transport: patient });
	const tarpits = await Promise.all(
		Array.from({ length: 10 }, () => tarpit(t)),
	);
	const urls = tarpits.map((it) => it.url);
	const stuck = await finishedTasks(running, urls, "token:a");
	const quick = await receiver(t);
	await finishedTasks(running, Array(3).fill(quick.url), "token:b");
	await quick.count(3);
	t.equal(triesOf(running, stuck), 0);
	const held = tarpits.filter((it) => it.held.length > 0);
	t.equal(held.length, 6, "three quarters of eight");
});

t.test("owners take turns at one receiver", async (t) => {
	const running = await runningTasks(t, { transport: patient });
	const came: string[] = [];
	let answerFirst = () => {};
	let onCall = () => {};
	const server = createServer((request, response) => {
		came.push(request.url ?? "");
		if (came.length > 1) response.end();
		else answerFirst = () => response.end();
		onCall();
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const at = (path: string) => `http://127.0.0.1:${port}/${path}`;
	const many = Array.from({ length: 6 }, (_, i) => at(`many-${i}`));
	await finishedTasks(running, many, "token:many");
	await finishedTasks(running, [at("one")], "token:one");
	t.same(came, ["/many-0"], "the rest waits for its answer");
	const all = new Promise<void>((resolve) => {
		onCall = () => came.length === 7 && resolve();
	});
	answerFirst();
	await all;
	t.ok(came.indexOf("/one") <= 2, `${came}`);
	const others = came.filter((it) => it !== "/one");
	t.same(
		others,
		many.map((it) => new URL(it).pathname),
	);
});
