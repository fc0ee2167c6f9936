import t from "tap";
import type { AudioEncoder } from "../../runtime/audio/encoder-port.js";
import { Conversions } from "../../runtime/recordings/conversions.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { Database } from "../../runtime/store/database.js";
import { RecordingRepository } from "../../runtime/store/recordings.js";
import { listeningLog } from "../engine/fake-lane.js";

const encoder = {
	async *encodeFile() {
		yield Buffer.from("an mp3");
	},
} as unknown as AudioEncoder;

for (const format of ["mp3", "wav"] as const)
	t.test(
		`a ${format} that is removed during its conversion stays removed`,
		async (t) => {
			const database = Database.open(`${t.testdir()}/store.mdb`);
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
				...{ id: "x", owner: "token:kiosk", format, audioId: draft.id },
				...{ createdSeconds: 0 },
				holds: { is: "sent", format: "pcm", sampleRateHz: 16000 },
			});
			draft.settle();
			const log = listeningLog(() => {}) as never;
			const conversions = new Conversions({ rows, shelf, encoder, log });
			const removal = rows.remove("x"); // in progress when the conversion starts
			t.equal(await conversions.ready("x"), undefined);
			await removal;
			t.equal(rows.find("x"), undefined);
			t.same(await shelf.ids(), [draft.id], "what was made of it went again");
		},
	);
