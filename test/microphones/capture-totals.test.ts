import t from "tap";
import { CaptureTotals } from "../../runtime/microphones/capture-totals.js";

for (const ms of [20, 40, 80])
	t.test(`a level is that of a second, in pieces of ${ms} ms`, async (t) => {
		const totals = new CaptureTotals();
		const add = (level: number, count: number) => {
			const bytes = new Uint8Array(ms * 32);
			for (let i = 0; i < count; i++)
				totals.addAudio({ bytes, levelsDbfs: [level] });
		};
		add(-20, 1);
		add(-90, 1000 / ms);
		const [level = 0] = totals.levelsDbfs;
		t.ok(Math.abs(level + 24.4) < 0.5, `${level} dBFS: 1/e of the power`);
	});
