/** What somebody muted stays muted over restarts. */
import { writeFileSync } from "node:fs";
import t from "tap";
import { standingMicrophones } from "../../runtime/appliance/standing-microphones.js";
import { loadConfig } from "../../runtime/config/load.js";
import { loggerTo } from "../../runtime/log/log.js";
import { openStore } from "../../runtime/store/open-store.js";
import { FakeLane } from "../api/fake-lane.js";
import { noWords } from "../live/no-words.js";

t.test("a mute outlives a restart", async (t) => {
	const folder = t.testdir({ config: {}, state: {} });
	const configOf = (muted: boolean) => {
		const microphones = ["front", "back"].map(
			(id) =>
				`[[microphone]]\nid = "${id}"\ndevice = "hw:1,0"\nmuted = ${muted}\n`,
		);
		writeFileSync(`${folder}/config/earshot.toml`, microphones.join(""));
		return loadConfig({ environment: {}, root: folder }).values;
	};
	const open = () => openStore({ dir: `${folder}/state`, as: "serve" });
	let store = await open();
	t.teardown(() => store.close());
	/** As after a start. @param muted of the configuration */
	const started = async (muted = false) => {
		await store.close();
		store = await open();
		const config = configOf(muted);
		return standingMicrophones({
			...{ config, inForce: () => config, mutes: store.mutes },
			...{ languages: ["en-US"], words: noWords, lane: new FakeLane() },
			log: loggerTo({ write() {} }, "fatal"),
		});
	};
	const mutedIn = ({ states }: Awaited<ReturnType<typeof started>>) =>
		[...states].filter(([, it]) => it.phase === "muted").map(([id]) => id);

	const first = await started();
	t.same(mutedIn(first), []);
	await first.mute("front", true);
	t.same(mutedIn(await started()), ["front"]);
	const again = await started();
	await again.mute("front", false);
	t.same(mutedIn(await started()), []);

	await (await started()).mute("front", true);
	t.same(mutedIn(await started(true)), ["front", "back"], "configured");
	t.same(
		mutedIn(await started()),
		[],
		"a configuration that was changed since counts",
	);
	const configured = await started(true);
	await configured.mute("back", false);
	t.same(mutedIn(await started(true)), ["front"], "unmuted by somebody");
});
