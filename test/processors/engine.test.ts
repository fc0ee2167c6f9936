/** What a person sees who asks for a processor that is not there: speech is recognised all the same, and the reason is told. */
import t from "tap";
import { openCore } from "../../runtime/engine/child/open-core.js";

t.test("an engine without the wanted processor hears on the CPU", async (t) => {
	const core = await openCore({
		modelFolder: "models/whisper-base",
		voiceActivityFolder: "models/silero-vad",
		speakerFolder: "models/campplus-zh-en",
		threads: 2,
		recognizers: 1,
		processor: "tensorrt",
		beam: 2,
		spoolFolder: t.testdir(),
		spoolBytesMax: 1e6,
		verify: false,
	});
	t.teardown(() => core.close());
	t.strictSame(
		core.processors.map(({ graph, used }) => [graph, used]),
		[
			["encoder.onnx", "cpu"],
			["decoder.onnx", "cpu"],
		],
	);
	for (const { refused } of core.processors)
		t.match(refused, [{ processor: "tensorrt", why: /\w+/ }]);
	t.strictSame((await core.probe()).wordsMissing, []);
});

t.test("a package in whole numbers is not even tried elsewhere", async (t) => {
	const core = await openCore({
		modelFolder: "models/whisper-base",
		voiceActivityFolder: "models/silero-vad",
		speakerFolder: "models/campplus-zh-en",
		threads: 2,
		recognizers: 1,
		processor: "auto",
		beam: 2,
		spoolFolder: t.testdir(),
		spoolBytesMax: 1e6,
		verify: false,
	});
	t.teardown(() => core.close());
	t.strictSame(core.processors, []);
});
