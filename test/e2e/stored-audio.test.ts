/** `audio_url` of a real appliance: stored beside a real recognition, fetched by its link, also from the next process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { findExecutable } from "../../drivers/ffmpeg/executable.js";
import { RunningAppliance, repository } from "./running-appliance.js";
import { tinyModel } from "./tiny-model.js";

const hasFfmpeg = (await findExecutable("ffmpeg")) !== undefined;
const clip = readFileSync(join(repository, "models/whisper-base/probe.wav"));

interface Answer {
	readonly message: string;
	readonly data: { readonly result: string; readonly audio_url?: string };
}

const answerOf = async (response: Response) =>
	(await response.json()) as Answer;

/** At another address: an appliance takes another port at its next start. */
const at = (url: string, link: string) =>
	url + new URL(link).pathname + new URL(link).search;

t.test(
	"a recording outlives its server, and its result is the one without",
	{ skip: hasFfmpeg ? false : "ffmpeg is not installed" },
	async (t) => {
		const model = await tinyModel();
		const first = await RunningAppliance.start(model);
		const query = { lang_type: "en", format: "wav" };
		const plain = await answerOf(await first.recognize(query, clip));
		t.not(plain.data.result, "");
		const links: string[] = [];
		for (const audio_url of ["mp3", "wav"]) {
			const answer = await first.recognize({ ...query, audio_url }, clip);
			const { message, data } = await answerOf(answer);
			t.equal(message, "success");
			t.equal(data.result, plain.data.result);
			links.push(data.audio_url ?? "");
		}
		const [mp3 = "", wav = ""] = links;
		t.ok(mp3.startsWith(`${first.url}/v1/asr/audio/`));
		const response = await fetch(mp3);
		t.equal(response.status, 200);
		const bytes = (await response.arrayBuffer()).byteLength;
		t.ok(bytes > 1000);
		await first.stop("SIGKILL");
		const second = await RunningAppliance.start(model, first.stateDir);
		t.teardown(() => second.dispose());
		const again = await fetch(at(second.url, mp3));
		t.equal((await again.arrayBuffer()).byteLength, bytes);
		// what was recorded is heard as what was sent
		const stored = await fetch(at(second.url, wav));
		const audio = new Uint8Array(await stored.arrayBuffer());
		const same = await second.recognize(query, audio, first.token);
		t.equal((await answerOf(same)).data.result, plain.data.result);
		t.match(await fetch(at(second.url, `${mp3}x`)), { status: 403 });
	},
);
