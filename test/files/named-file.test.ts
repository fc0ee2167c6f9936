/** A file named in a message instead of uploaded: its options by the names of the form, in JSON, where numbers and booleans may be text as well. */
import t from "tap";
import { mqttOwner } from "../../runtime/owner.js";
import { listeningLog } from "../engine/fake-lane.js";
import { startPlace } from "../outbound/places.js";
import { startFiles, wavBytes, wavFields } from "./running-files.js";

t.test("options of a message are those of the form", async (t) => {
	const { port } = await startPlace(t, (_, response) =>
		response.end(wavBytes(1)),
	);
	const files = await startFiles(t, { allow: ["127.0.0.1"] });
	const base = { ...wavFields, file_url: `http://127.0.0.1:${port}/a.wav` };
	const take = async (options: object) => {
		await files.intake?.takeNamed(
			{ ...base, ...options },
			{
				owner: mqttOwner,
				signal: new AbortController().signal,
				log: listeningLog(() => {}),
			},
		);
		return files.taskService.last.options;
	};
	const meant = {
		words: true,
		keywordsQuantity: 3,
		hotwordsList: ["one", "two"],
	};
	t.match(
		await take({
			enable_words: true,
			keywords_quantity: 3,
			hotwords_list: ["one", "two"],
		}),
		meant,
	);
	t.match(
		await take({
			enable_words: "true",
			keywords_quantity: "3",
			hotwords_list: "one|two",
			callback_url: "",
			clusters: null,
		}),
		{ ...meant, callbackUrl: undefined, clusters: undefined },
	);
	await t.rejects(
		take({ hotwords_id: 7 }),
		/hotword database 7 does not exist/,
		"a number is as good as its text",
	);
	await t.rejects(
		take({ enable_words: [true] }),
		/enable_words must be true or false, got \[true\]/,
	);
});
