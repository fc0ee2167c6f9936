/** An engine with a processor that is missing: speech is recognized anyway, and the reason is reported. */
import t from "tap";
import { openCore } from "../../runtime/engine/child/open-core.js";

t.test(
	"an engine without the requested processor recognizes on the CPU",
	async (t) => {
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
	},
);

t.test("an int8 package is not tried on other processors", async (t) => {
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
