import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { EarshotClient } from "../../runtime/client/earshot-client.js";
import { eventually } from "../fixtures/eventually.js";
import { repository } from "./running-appliance.js";
import { sharedAppliance } from "./shared-appliance.js";

const clip = readFileSync(join(repository, "models/whisper-base/probe.wav"));

t.test(
	"lists that are kept change what is heard, through both doors",
	async (t) => {
		const earshot = await sharedAppliance();
		const make = async (path: string, id: string, words: readonly string[]) => {
			const response = await fetch(`${earshot.url}/v1/${path}`, {
				method: "POST",
				headers: { Authorization: `Bearer ${earshot.token}` },
				body: JSON.stringify({ id, lang_type: "en-US", words }),
			});
			t.match(await response.json(), { status: "000000", message: "success" });
		};
		const recognize = async (options: Record<string, string>) => {
			const answer = await earshot.recognize(
				{ lang_type: "en-US", format: "wav", ...options },
				clip,
			);
			const { data, message } = (await answer.json()) as {
				message: string;
				data: { result: string } | null;
			};
			return data?.result ?? message;
		};
		const stream = async (options: Record<string, string>) => {
			const { url, token } = earshot;
			const client = new EarshotClient({ url, token });
			await client.start({ lang_type: "en-US", format: "wav", ...options });
			await client.send(clip);
			return (await client.stop()).text;
		};
		const plain = await recognize({});
		t.match(plain, /amiable/);
		const rare = Array.from({ length: 19_999 }, (_, it) => `xylograph ${it}`);
		await make("correction-words", "kinder", ["amiable,kindly"]);
		await make("forbidden-words", "words", [...rare, "himself"]);
		await make("hotwords", "traits", ["amiable", ...rare]);
		const named = {
			correction_words_id: "kinder",
			forbidden_words_id: "words",
			hotwords_id: "traits",
			hotwords_weight: "0.1",
		};
		const changed = await recognize(named);
		t.match(changed, /kindly/);
		t.match(changed, /\*{7}/);
		t.notMatch(changed, /amiable|himself/);
		const { hotwords_weight: _, ...strings } = named;
		const spoken = await stream(strings);
		t.match(spoken, /kindly/);
		t.match(spoken, /\*{7}/);
		t.equal(await recognize({}), plain, "only where they are named");

		const deaths = () =>
			earshot.metric('earshot_engine_restarts_total{lane="live"}');
		const deathsBefore = await deaths();
		// not that of files, which may just end because it is idle
		const engine = execFileSync("pgrep", [
			...["-P", `${earshot.process.pid}`, "-f", "lane live"],
		]);
		process.kill(Number(engine.toString().trim().split("\n")[0]), "SIGKILL");
		await eventually(
			"a death that was noticed",
			async () => (await deaths()) > deathsBefore,
		);
		await earshot.untilHealthy();
		t.equal(
			await recognize(named),
			changed,
			"the next engine gets them as well",
		);
	},
);
