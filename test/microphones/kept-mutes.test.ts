/** What somebody muted stays muted over restarts. */
import { writeFileSync } from "node:fs";
import t from "tap";
import { standingMicrophones } from "../../runtime/appliance/standing-microphones.js";
import { loadConfig } from "../../runtime/config/load.js";
import { loggerTo } from "../../runtime/log/log.js";
import { openStore } from "../../runtime/store/open-store.js";
import { FakeLane } from "../api/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
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
	const started = (muted = false) => {
		const config = configOf(muted);
		return standingMicrophones({
			config,
			inForce: () => config,
			mutes: store.mutes,
			languages: ["en-US"],
			words: noWords,
			lane: new FakeLane(),
			log: loggerTo({ write() {} }, "fatal"),
		});
	};
	const mutedIn = ({ states }: ReturnType<typeof started>) =>
		[...states].filter(([, it]) => it.phase === "muted").map(([id]) => id);

	const first = started();
	t.same(mutedIn(first), []);
	await first.mute("front", true);
	await store.close();
	store = await open();
	t.same(mutedIn(started()), ["front"]);
	const again = started();
	await again.mute("front", false);
	t.same(mutedIn(started()), []);

	await started().mute("front", true);
	t.same(mutedIn(started(true)), ["front", "back"], "configured");
	await eventually(
		"the mute to be forgotten",
		() => store.mutes.read("front") === undefined,
	);
	t.same(
		mutedIn(started()),
		[],
		"a configuration that was changed since counts",
	);
	const configured = started(true);
	await configured.mute("back", false);
	t.same(mutedIn(started(true)), ["front"], "unmuted by somebody");
});
