/** Which further copies of the recognizer an engine starts for files, and what of its settings they get. */
import t from "tap";
import {
	createFileWorkers,
	type StartedCopy,
	type WorkerParts,
} from "../../runtime/engine/child/file-workers.js";
import { PendingSends } from "../../runtime/engine/child/pending-sends.js";
import type { CopySettings } from "../../runtime/engine/child/pool/copy-protocol.js";
import type { LanguageModelState } from "../../runtime/engine/protocol.js";
import { eventually } from "../fixtures/eventually.js";
import { options, settings } from "./fake-lane.js";

/** An engine with one copy beside its own recognizer, which fails or is ready at once. */
function engine(
	fails: boolean,
	changes: {
		languageFolders?: Record<string, string>;
		states?: readonly LanguageModelState[];
	} = {},
) {
	const started: CopySettings[] = [];
	const missing: string[] = [];
	const clock = { ms: 0 };
	const { languageFolders, states = [] } = changes;
	const workers = createFileWorkers({
		models: {
			recognizer: { name: "own", languages: [] },
			languageModels: { states },
			pendingSends: new PendingSends(),
			createFileSegmenter: () => ({}),
		},
		settings: {
			...settings,
			recognizers: 2,
			...(languageFolders && { languageFolders }),
		},
		onMissing: (error: Error) => missing.push(error.message),
		onRefinementFailed: () => {},
		nowMs: () => clock.ms,
		startCopy: (of: CopySettings): StartedCopy => {
			started.push(of);
			return {
				batchesMax: 1,
				hasEnded: false,
				ready: fails ? Promise.reject(new Error("no room")) : Promise.resolve(),
				recognizeAll: async () => [],
				close: async () => {},
			};
		},
	} as unknown as WorkerParts);
	/** A file whose language no model has. */
	const file = () =>
		workers
			.recognize(
				{ is: "hear", source: { channels: 1 }, resume: [], skip: [] } as never,
				options,
				{ signal: new AbortController().signal } as never,
			)
			.catch(() => {});
	return { workers, started, missing, clock, file };
}

t.test("a copy that fails is not tried again with each file", async (t) => {
	const { workers, started, missing, clock, file } = engine(true);
	await eventually("the failure", () => missing.length === 1);
	await file();
	clock.ms += 599_000;
	await file();
	t.equal(started.length, 1);
	clock.ms += 1000;
	await file();
	t.equal(started.length, 2, "after ten minutes");
	await eventually("its failure", () => missing.length === 2);
	t.same(missing, ["no room", "no room"]);
	await workers.close();
});

t.test("a copy that works is not started twice", async (t) => {
	const { workers, started, file } = engine(false);
	await file();
	await file();
	t.equal(started.length, 1);
	await workers.close();
});

t.test("models that failed in the engine are left out of a copy", async (t) => {
	const { workers, started } = engine(false, {
		languageFolders: { "ja-JP": "/models/ja", "en-US": "/models/en" },
		states: [
			{ name: "ja", languages: ["ja-JP"], state: "failed", why: "damaged" },
			{ name: "en", languages: ["en-US"], state: "closed" },
		],
	});
	t.match(started, [{ languageFolders: { "en-US": "/models/en" } }]);
	t.notOk("ja-JP" in (started[0]?.languageFolders ?? {}));
	await workers.close();
});
