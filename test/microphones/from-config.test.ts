import t, { type Test } from "tap";
import { exampleToml } from "../../runtime/config/document.js";
import { loadConfig } from "../../runtime/config/load.js";
import { microphoneSection } from "../../runtime/config/sections/microphone.js";
import {
	captureSettings,
	microphoneLanguageOf,
	recognitionOptions,
	referredLists,
	wakeOptions,
} from "../../runtime/microphones/from-config.js";

function load(t: Test, files: Record<string, string>) {
	const root = t.testdir({
		config: {
			"earshot.toml": files.main ?? "",
			"earshot.d": Object.fromEntries(
				Object.entries(files).filter(([name]) => name !== "main"),
			),
		},
	});
	return loadConfig({ environment: {}, root }).values.microphone;
}

const front = `
[[microphone]]
id = "front"
device = "hw:1,0"
channels = 4
language = "zh-cmn-Hans-CN"
array = "respeaker-4"
`;

t.test("a microphone has the configured settings", async (t) => {
	t.same(load(t, {}), [], "none without a section");
	const [microphone, ...others] = load(t, { main: front });
	t.same(others, []);
	if (!microphone) throw new Error("none");
	t.match(microphone, {
		id: "front",
		sample_rate: 16_000,
		push_to_talk: false,
	});
	const settings = captureSettings(microphone);
	t.match(settings, { device: "hw:1,0", channels: 4, rateHz: 16_000 });
	t.equal(settings.geometry?.length, 4);
	const language = microphoneLanguageOf(microphone, ["zh-cmn-Hans-CN"]);
	t.match(recognitionOptions(microphone, language), {
		language: "zh-cmn-Hans-CN",
		keepsWhole: false,
		streamed: true,
		durationSecondsMax: Number.POSITIVE_INFINITY,
	});
	t.same(referredLists(microphone), {
		hotwordsList: [],
		hotwordsWeight: 0.4,
	});
	t.throws(
		() => microphoneLanguageOf(microphone, ["en-US"]),
		/must be one of en-US/,
	);
});

t.test("a drop-in replaces one microphone and adds another", async (t) => {
	const microphones = load(t, {
		main: front,
		"10-site.toml": `[[microphone]]\nid = "front"\ndevice = "hw:2,0"\n[[microphone]]\nid = "back"\n`,
	});
	t.same(
		microphones.map(({ id, device, array }) => `${id} ${device} ${array}`),
		["front hw:2,0 none", "back default none"],
	);
});

t.test("every key of the example is a key with its default", async (t) => {
	const [, example = ""] = exampleToml().split("# [[microphone]]\n");
	const main = `[[microphone]]\n${example.replace(/^# {3}/gm, "")}`;
	const [microphone] = load(t, { main });
	for (const [key, setting] of Object.entries(microphoneSection))
		if (key !== "id")
			t.same(
				microphone?.[key as keyof typeof microphone],
				setting.default,
				key,
			);
});

t.test("impossible settings are refused with their key", async (t) => {
	const refused = (lines: string, id = 'id = "front"') => {
		try {
			const [it] = load(t, { main: `[[microphone]]\n${id}\n${lines}\n` });
			if (it) captureSettings(it);
			return "accepted";
		} catch (error) {
			return (error as Error).message;
		}
	};
	t.match(refused("", ""), /microphone\.id .* must be 1 to 32 letters/);
	t.match(refused("", 'id = "a/b"'), /microphone\.id .* must be/);
	t.match(refused("", 'id = "#"'), /microphone\.id/);
	t.match(refused("chanels = 2"), /nearest is microphone\.channels/);
	t.match(refused("channels = 17"), /integer from 1 to 16, got 17/);
	t.match(refused('format = "U8"'), /one of auto, S16_LE/);
	t.match(refused("channel_map = [0, 1]"), /channel 1, the card records 1/);
	t.match(refused("channels = 2\nchannel_map = [1, 1]"), /channel 1 twice/);
	t.match(refused("geometry = [[0, 0, 0]]"), /at least two microphones/);
	t.match(refused("geometry = [[0, 0]]"), /\[x, y, z\]/);
	t.match(
		refused("channels = 2\ngeometry = [[0, 0, 0], [0, 0, 0]]"),
		/same place/,
	);
	t.match(refused('array = "respeaker-4"'), /4 microphones, but 1 channels/);
	t.match(
		refused('channels = 4\narray = "respeaker-4"\ngeometry = [[0, 0, 0]]'),
		/set only one of them/,
	);
	t.equal(
		refused(
			'channels = 6\nchannel_map = [1, 2, 3, 4]\narray = "respeaker-usb-4"',
		),
		"accepted",
	);
	t.match(
		(() => {
			try {
				return load(t, { main: `${front}${front}` });
			} catch (error) {
				return (error as Error).message;
			}
		})(),
		/two \[\[microphone\]\] have the id "front"/,
	);
	t.throws(
		() => load(t, { main: "[microphone]\nid = 1" }),
		/must be written as \[\[microphone\]\]/,
	);
});

t.test("wake words need a second ear, and phrases that can be", async (t) => {
	const of = (words: string, secondEar = "ear") => {
		const [microphone] = load(t, { main: `${front}wake_words = ${words}` });
		return microphone && wakeOptions(microphone, secondEar);
	};
	t.equal(of("[]", ""), undefined);
	t.same(of('["小智小智：0.4"]'), of('["小智小智:0.4"]'), "a full-width colon");
	t.same(of('["小智小智:0.4"]'), {
		words: [{ phrase: "小智小智", threshold: 0.4 }],
		seconds: 6,
	});
	t.throws(() => of('["小智小智"]', ""), {
		message:
			/^microphone front: wake_words need a second ear: .*model.second_ear/,
	});
	t.throws(() => of('["小智"]'), {
		message: /^microphone front: wake_words must have 3 to 10 syllables/,
	});
});
