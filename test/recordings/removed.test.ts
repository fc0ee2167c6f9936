import t, { type Test } from "tap";
import type { AudioEncoder } from "../../runtime/audio/encoder-port.js";
import type { Clock } from "../../runtime/clock/clock.js";
import type { AudioLinks } from "../../runtime/recordings/audio-links.js";
import { Conversions } from "../../runtime/recordings/conversions.js";
import { Recordings } from "../../runtime/recordings/recordings.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import {
	Database,
	type DatabaseOptions,
} from "../../runtime/store/database.js";
import { RecordingRepository } from "../../runtime/store/recordings.js";
import { listeningLog } from "../engine/fake-lane.js";

const encoder = {
	async *encodeFile() {
		yield Buffer.from("an mp3");
	},
} as unknown as AudioEncoder;

/** A recording of a tenth of a second, in a database of its own. */
async function stored(
	t: Test,
	format: "mp3" | "wav",
	options: DatabaseOptions = {},
) {
	const database = Database.open(`${t.testdir()}/store.mdb`, options);
	t.teardown(() => database.close());
	const rows = new RecordingRepository(database);
	const shelf = await AudioShelf.open(`${t.testdirName}/audio`, {
		bytesMax: 1e6,
		reserveBytes: 0,
	});
	const draft = await shelf.begin();
	await draft.append(Buffer.alloc(3200));
	await draft.commit();
	await rows.put({
		id: "x",
		owner: "token:kiosk",
		format,
		audioId: draft.id,
		createdSeconds: 0,
		holds: { is: "sent", format: "pcm", sampleRateHz: 16000 },
	});
	draft.settle();
	const log = listeningLog(() => {}) as never;
	return { rows, shelf, encoder, log, audioId: draft.id };
}

for (const format of ["mp3", "wav"] as const)
	t.test(
		`a ${format} that is removed during its conversion stays removed`,
		async (t) => {
			const { audioId, ...parts } = await stored(t, format);
			const { rows, shelf } = parts;
			const conversions = new Conversions(parts);
			const removal = rows.remove("x"); // in progress when the conversion starts
			t.equal(await conversions.ready("x"), undefined);
			await removal;
			t.equal(rows.find("x"), undefined);
			t.same(await shelf.ids(), [audioId], "what was made of it went again");
		},
	);

t.test("old audio makes room on a disk that is full", async (t) => {
	let free = 2 ** 30;
	const parts = await stored(t, "wav", { freeBytes: () => free });
	const { rows, shelf } = parts;
	const clock = {
		countsAges: true,
		ageSeconds: () => 31 * 86_400,
	} as unknown as Clock;
	const links = {} as AudioLinks;
	const recordings = new Recordings({ ...parts, clock, links });
	free = 0;
	await recordings.sweep();
	t.same(await shelf.ids(), []);
	free = 2 ** 30;
	await recordings.sweep();
	t.equal(rows.find("x"), undefined);
});
