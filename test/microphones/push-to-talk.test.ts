/** Who may be told that the key is pressed. */
import t from "tap";
import { standingMicrophones } from "../../runtime/appliance/standing-microphones.js";
import { loadConfig } from "../../runtime/config/load.js";
import { loggerTo } from "../../runtime/log/log.js";
import { openStore } from "../../runtime/store/open-store.js";
import { FakeLane } from "../api/fake-lane.js";
import { noWords } from "../live/no-words.js";

t.test("a microphone without a key refuses to be told of one", async (t) => {
	const configOf = (id: string, more = "") =>
		`[[microphone]]\nid = "${id}"\ndevice = "hw:1,0"\n${more}\n`;
	const folder = t.testdir({
		config: {
			"earshot.toml": `${configOf("desk", "push_to_talk = true")}${configOf("front")}`,
		},
		state: {},
	});
	const config = loadConfig({ environment: {}, root: folder }).values;
	const store = await openStore({ dir: `${folder}/state`, as: "visit" });
	t.teardown(() => store.close());
	const microphones = standingMicrophones({
		config,
		inForce: () => config,
		mutes: store.mutes,
		languages: ["en-US"],
		words: noWords,
		lane: new FakeLane(),
		log: loggerTo({ write() {} }, "fatal"),
	});
	microphones.talk("desk", true);
	microphones.talk("desk", false);
	for (const talking of [true, false])
		t.throws(() => microphones.talk("front", talking), {
			status: "200002",
			message: /"front" has no push_to_talk/,
		});
	t.throws(() => microphones.talk("back", true), { message: /unknown/ });
});
