/** A model of a catalogue that is converted on the device: the package says what the catalogue says of it. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { converter } from "../../runtime/cli/models-catalogue.js";
import type { CatalogueEntry } from "../../runtime/models/package/catalogue-entry.js";
import { fetchModel } from "../../runtime/models/package/fetch-model.js";
import {
	randomWeights,
	writeCTranslate2,
} from "../models-convert/tiny-whisper.js";
import { mirror } from "./mirror.js";

t.test("edition, licence and attribution of a converted model", async (t) => {
	const place = t.testdir({ models: {}, shop: {} });
	const shop = join(place, "shop");
	writeCTranslate2(shop, randomWeights(3), "float16");
	const { url } = await mirror(t, shop);
	const files = readdirSync(shop).map((name) => {
		const bytes = readFileSync(join(shop, name));
		const sha256 = createHash("sha256").update(bytes).digest("hex");
		return { name, url: `${url}/${name}`, sha256, bytes: bytes.length };
	});
	const entry: CatalogueEntry = {
		name: "tiny",
		licence: "Apache-2.0",
		source: "a test",
		edition: "2026-01-02",
		convert: true,
		licensing: {
			summary: "",
			commercial: "yes",
			attribution: "by somebody",
		},
		files,
	};
	const own = { schema: 2 as const, serial: 1, models: [entry] };
	const { signal } = new AbortController();
	const directory = join(place, "models");
	const { manifest } = await fetchModel(
		"tiny",
		{ location: "", key: "", own },
		{ directory, convert: converter(false, signal, () => {}) },
	);
	t.match(manifest, {
		kind: "whisper",
		edition: "2026-01-02",
		licence: "Apache-2.0",
		source: "a test",
	});
	t.ok("NOTICE" in manifest.files);
	const notice = readFileSync(join(directory, "tiny", "NOTICE"), "utf8");
	t.equal(notice, "by somebody\n");
});
