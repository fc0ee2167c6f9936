/** `earshot models` with names and options that fit nothing: the reason helps. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { installFolder } from "../../runtime/models/package/install.js";
import { earshotAt, modelsAndStick } from "./models-and-stick.js";

t.test("names and options that fit nothing are refused", async (t) => {
	const { models, stick, zipformer } = modelsAndStick(t);
	await installFolder(zipformer, { directory: models, name: "tiny" });
	await installFolder(zipformer, { directory: stick, name: "moved" });
	const manifest = readFileSync(join(stick, "moved/model.json"));
	const notInstalled =
		/^earshot: tinny is not installed in [^\n]*: earshot models list\n$/;
	const cases: [words: string[], code: number, err: RegExp | string][] = [
		[
			["add", "parakeet-jaa"],
			1,
			"earshot: no catalogue has parakeet-jaa: earshot models search lists the models; the nearest is parakeet-ja\n",
		],
		[
			["add", "parakeet-ja", "--name", "other", "--licence", "GPL"],
			2,
			/described there: --name, --licence can't be given/,
		],
		[
			["add", join(stick, "moved"), "--probe-words", "a", "--source", "me"],
			1,
			/describes itself: --source, --probe-words can't be given/,
		],
		[
			[
				...["add", "http://127.0.0.1:1/model.tar.gz", "--languages", "en"],
				...["--sha256", "0".repeat(64), "--licence", "MIT"],
				...["--probe", "nowhere.wav", "--probe-language", "en"],
				...["--probe-words", "a"],
			],
			1,
			/--probe can't be read: ENOENT.*nowhere.wav/,
		],
		[["verify", "tinny"], 1, /there is no folder .*models\/tinny: copy/],
		[["use", "tinny"], 1, notInstalled],
		[["remove", "tinny"], 1, notInstalled],
		[["verify", "tiny"], 0, ""],
	];
	for (const [words, code, err] of cases)
		t.match(
			await earshotAt(models, "models", ...words),
			{ code, err },
			words.join(" "),
		);
	t.match(await earshotAt(models, "models", "add", join(stick, "moved")), {
		code: 0,
	});
	t.same(readFileSync(join(models, "moved/model.json")), manifest);
});

t.test("a folder without packages is not passed over in silence", async (t) => {
	const dir = t.testdir({});
	const none = /^earshot: there are no packages in [^\n]*recommend\n$/;
	const listed = await earshotAt(dir, "models", "list");
	t.match(listed, { code: 0, err: none });
	t.equal(listed.out, "");
	const verified = await earshotAt(dir, "models", "verify");
	t.match(verified, { code: 1, err: none });
});
