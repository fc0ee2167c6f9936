import {
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../fixtures/eventually.js";
import { RunningAppliance } from "./running-appliance.js";
import { tinyModel } from "./tiny-model.js";

t.test("an altered model: said on the screen, mended in place", async (t) => {
	const models = mkdtempSync(join(tmpdir(), "earshot-models-"));
	t.teardown(() => rmSync(models, { recursive: true }));
	const tiny = await tinyModel();
	cpSync(tiny.EARSHOT_MODEL_DIR, models, { recursive: true });
	const weights = join(models, tiny.EARSHOT_MODEL_NAME, "model.onnx");
	const good = readFileSync(weights);
	const altered = Buffer.from(good);
	altered[50_000] = (altered[50_000] as number) ^ 1;
	writeFileSync(weights, altered);
	const earshot = await RunningAppliance.launch({
		...tiny,
		EARSHOT_MODEL_DIR: models,
		EARSHOT_ENGINE_QUEUE_WAIT_SECONDS: "3",
		EARSHOT_RECOGNITION_VERIFY_MODEL: "true",
	});
	t.teardown(() => earshot.dispose());
	const isReported = () =>
		earshot.screen.some((it) =>
			it.includes("not ready: tiny: model.onnx was altered"),
		);
	await eventually("it to say what is wrong", isReported, {
		seen: () => earshot.screen,
	});
	const health = await fetch(`${earshot.url}/healthz`);
	t.equal(health.status, 503);
	writeFileSync(weights, good);
	await earshot.untilHealthy();
	t.pass("the next engine is good");
});
