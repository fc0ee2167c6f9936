/** Tasks that the command line wants removed, beside a server. */
import { join } from "node:path";
import { mock } from "node:test";
import t from "tap";
import { loadConfig } from "../../runtime/config/load.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { Database } from "../../runtime/store/database.js";
import { RemovalRequestRepository } from "../../runtime/store/removal-requests.js";
import { FileService } from "../../runtime/tasks/file-service.js";
import { RequestedRemovals } from "../../runtime/tasks/requested-removals.js";
import { plainClock } from "../clock/plain-clock.js";
import { fakeLane, listeningLog } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { plainOptions } from "./plain-options.js";

t.test("a task that can't be removed holds up no other", async (t) => {
	const dir = t.testdir();
	const database = Database.open(join(dir, "store.mdb"));
	const shelf = await AudioShelf.open(join(dir, "audio"), {
		bytesMax: 1e9,
		reserveBytes: 0,
	});
	const { lane, supervisor } = fakeLane(t);
	const files = new FileService({
		config: loadConfig({ environment: {} }).values,
		database,
		shelf,
		async *othersAudio() {},
		outbound: { send: () => Promise.reject(new Error("unreachable")) },
		lane,
		words: {
			resolve: () => ({}),
			resolveAccepted: () => ({ words: {}, notes: [] }),
			hold: () => () => {},
			holdNamed: () => () => {},
		},
		keywords: { find: async () => [] },
		clock: plainClock(),
		timeText: String,
		log: listeningLog(() => {}),
	});
	await files.start();
	t.teardown(async () => {
		await files.stop();
		await supervisor.stop(0);
		await database.close();
	});
	const finished = async (id: string) => {
		const draft = await shelf.begin();
		await draft.append(Buffer.from(JSON.stringify({ sentences: ["one"] })));
		await draft.commit();
		await files.tasks.submit({
			id,
			owner: "token:kiosk",
			fileName: "a.wav",
			audioId: draft.id,
			audioMs: 1000,
			options: plainOptions,
		});
		draft.settle();
		const isDone = () => files.tasks.find(id)?.state === "completed";
		await eventually(`${id} to be finished`, isDone);
		return draft.id;
	};
	const first = "1".repeat(32);
	const second = "2".repeat(32);
	const kept = await finished(first);
	await finished(second);
	const remove = shelf.remove.bind(shelf);
	shelf.remove = (id) =>
		id === kept ? Promise.reject(new Error("EIO")) : remove(id);
	const requests = new RemovalRequestRepository(database);
	await requests.put(first, 1);
	await requests.put(second, 1);
	await eventually("the other", () => !files.tasks.find(second));
	t.equal(files.tasks.find(first)?.state, "completed", "it still exists");
	await eventually("what is left", () => requests.list().length === 1);
	t.same(requests.list(), [first], "asked for still");
});

t.test("a request that is made again is tried at once", async (t) => {
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	let requested = ["a"];
	let canRemove = false;
	const removed: string[] = [];
	const removals = new RequestedRemovals({
		requests: {
			list: () => requested,
			remove: async (id) => {
				requested = requested.filter((it) => it !== id);
			},
		},
		tasks: {
			remove: async (id) => {
				if (!canRemove) throw new Error("EIO");
				removed.push(id);
				return true;
			},
		},
		log: listeningLog(() => {}),
	});
	removals.start();
	t.teardown(() => removals.stop());
	const round = async () => {
		mock.timers.tick(1000);
		await new Promise((done) => setImmediate(done));
	};
	await round();
	canRemove = true;
	await round();
	t.same(removed, [], "it waits");
	requested = [];
	await round();
	requested = ["a"];
	await round();
	t.same(removed, ["a"]);
});
