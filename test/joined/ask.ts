/** A recording at each interface of a running appliance: everything that is said of it, as one text. */
import { EarshotClient } from "../../runtime/client/earshot-client.js";
import { s16Bytes } from "../audio/wav-bytes.js";
import type { RunningAppliance } from "../e2e/running-appliance.js";
import { eventually } from "../fixtures/eventually.js";

/** `POST /v1/asr/api` @throws where it was not answered with success. */
export async function askOverHttp(
	earshot: RunningAppliance,
	samples: Float32Array,
	lang_type: string,
): Promise<string> {
	const query = { lang_type, format: "pcm" };
	const answer = await earshot.recognize(query, s16Bytes(samples));
	const { status, message, data } = (await answer.json()) as {
		readonly status: string;
		readonly message: string;
		readonly data: { readonly result: string };
	};
	if (status !== "000000") throw new Error(`${status} ${message}`);
	return data.result;
}

export async function askOverWebSocket(
	{ url, token }: RunningAppliance,
	samples: Float32Array,
	lang_type: string,
	namespace: "SpeechRecognizer" | "SpeechTranscriber" = "SpeechRecognizer",
): Promise<string> {
	const client = new EarshotClient({ url, token, namespace });
	await client.start({ lang_type });
	await client.send(s16Bytes(samples));
	const { text } = await client.stop();
	const sentences: string[] = [];
	for await (const result of client)
		if (result.is === "sentence") sentences.push(result.text);
	return namespace === "SpeechRecognizer" ? text : sentences.join(" ");
}

export async function askAsFile(
	{ url, token }: RunningAppliance,
	samples: Float32Array,
	lang_type: string,
): Promise<string> {
	const ask = async (path: string, request: RequestInit = {}) => {
		const headers = { authorization: `Bearer ${token}` };
		const answer = await fetch(url + path, { headers, ...request });
		return ((await answer.json()) as { data: Record<string, unknown> }).data;
	};
	const form = new FormData();
	form.set("lang_type", lang_type);
	form.set("format", "pcm");
	form.set("file", new Blob([s16Bytes(samples)]), "joined.pcm");
	const upload = { method: "POST", body: form };
	const { task_id } = await ask("/v1/asrfile/upload", upload);
	const result = await eventually("the transcript", async () => {
		const data = await ask(`/v1/asrfile/result?task_id=${task_id}`);
		return data.result as readonly { readonly transcript: string }[];
	});
	return result.map((it) => it.transcript).join(" ");
}
