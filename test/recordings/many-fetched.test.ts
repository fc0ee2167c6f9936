/** Many recordings that are fetched at once, before they were converted. */
import t from "tap";
import type { AudioEncoder } from "../../runtime/audio/encoder-port.js";
import { Conversions } from "../../runtime/recordings/conversions.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { Database } from "../../runtime/store/database.js";
import { RecordingRepository } from "../../runtime/store/recordings.js";
import { listeningLog } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";

t.test("two encoders work at once, and all are converted", async (t) => {
	const database = Database.open(`${t.testdir()}/store.mdb`);
	t.teardown(() => database.close());
	const rows = new RecordingRepository(database);
	const shelf = await AudioShelf.open(`${t.testdirName}/audio`, {
		bytesMax: 1e6,
		reserveBytes: 0,
	});
	const ids = Array.from({ length: 20 }, (_, at) => `recording-${at}`);
	for (const id of ids) {
		const draft = await shelf.begin();
		await draft.append(Buffer.alloc(320));
		await draft.commit();
		await rows.put({
			id,
			owner: "token:kiosk",
			format: "mp3",
			audioId: draft.id,
			createdSeconds: 0,
			holds: { is: "sent", format: "pcm", sampleRateHz: 16000 },
		});
		draft.settle();
	}
	const warnings: Error[] = [];
	process.on("warning", (it) => warnings.push(it));
	let atWork = 0;
	let most = 0;
	const encoder: Pick<AudioEncoder, "encodeFile"> = {
		async *encodeFile() {
			most = Math.max(most, ++atWork);
			await eventually("a second encoder", () => most > 1);
			await new Promise((resolve) => setImmediate(resolve));
			yield Buffer.from("an mp3");
			atWork--;
		},
	};
	const log = listeningLog(() => {}) as never;
	const conversions = new Conversions({
		rows,
		shelf,
		encoder: encoder as AudioEncoder,
		log,
	});
	conversions.queue("recording-19");
	const made = await Promise.all(ids.map((id) => conversions.ready(id)));
	t.ok(made.every((it) => it?.holds.is === "mp3"));
	t.equal(most, 2);
	t.same(warnings, [], "twenty may wait");
	await conversions.stop();
});
