/** Switches of the model by a reload, on engines that can't start: what failed is asked for again. */
import t from "tap";
import { ConfigReload } from "../../runtime/appliance/config-reload.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { Config } from "../../runtime/config/schema.js";
import { ModelSwitch } from "../../runtime/engine/use-model.js";
import { loggerTo } from "../../runtime/log/log.js";
import { Outbound } from "../../runtime/outbound/outbound.js";
import type { Language } from "../../runtime/text/languages.js";
import { eventually, untilStill } from "../fixtures/eventually.js";
import { fakeLane } from "./fake-lane.js";

const { values: config } = loadConfig({ environment: {} });
const cases: readonly [string, Partial<Config["model"]>][] = [
	["another model", { name: "other" }],
	["another model for a language", { by_language: { "ja-JP": "other" } }],
];

/** @param model configured at a reload. */
function partsWith(model: Config["model"]) {
	let renewals = 0;
	return {
		config,
		languages: [],
		readConfig: (): Config => ({
			...config,
			log: { ...config.log, level: "error" },
			model,
		}),
		outbound: new Outbound({ allow: [], ownPort: () => undefined }),
		api: { reconfigure() {} },
		https: undefined,
		microphones: {
			refresh() {},
			renewAll() {
				renewals++;
			},
		},
		renewals: () => renewals,
		noteModels: async () => {},
	};
}

for (const [what, changes] of cases)
	t.test(`${what} that failed is tried again at a reload`, async (t) => {
		const broken = fakeLane(t, { environment: { FAKE_BROKEN: "no model" } });
		const lines: string[] = [];
		const write = (line: string) => void lines.push(line);
		const log = loggerTo({ write }, "error");
		const model = { ...config.model, ...changes };
		const reload = new ConfigReload({
			...partsWith(model),
			log,
			model: new ModelSwitch(
				{ live: broken, batch: broken, log },
				config.model,
			),
		});
		for (const times of [1, 2]) {
			reload.reload();
			await eventually("a failed switch", () => lines.length === times);
			t.match(lines.at(-1), "the new model can't be used");
			t.same(reload.config.model, config.model);
		}
	});

t.test("the device's microphones go on with another model", async (t) => {
	const model = { ...config.model, name: "other" };
	const parts = partsWith(model);
	const languages: Language[] = ["en-US"];
	const reload = new ConfigReload({
		...parts,
		languages,
		log: loggerTo({ write: () => {} }, "fatal"),
		model: { use: async () => ({ inUse: model, languages: ["ja-JP"] }) },
	});
	reload.reload();
	await eventually("the microphones to be renewed", parts.renewals);
	t.same(languages, ["ja-JP"]);
	t.equal(reload.config.model.name, "other");
	reload.reload();
	await untilStill(parts.renewals);
	t.equal(parts.renewals(), 1, "nothing has changed");
});
