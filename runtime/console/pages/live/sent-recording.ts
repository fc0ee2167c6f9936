/** The recording of Live, sent to Files: what is said of it holds until the next recording begins. */
import { effect, signal } from "@preact/signals";
import { data } from "../../app/api.js";
import { isIn } from "../../app/session.js";
import { answeredWithin, answerMsMaxOf } from "../../parts/answered-within.js";
import { reasonOf } from "../../parts/notice.js";
import { languageName } from "../../parts/options-texts.js";
import { languageInUse } from "../../parts/recognition-options.js";
import { phase, recordedAt } from "./live-model.js";
import { savedName } from "./saved-name.js";

export const sent = signal<
	"" | "sending" | "done" | { readonly wrong: string }
>("");
let recordings = 0;
let request: AbortController | undefined;

effect(() => {
	if (!isIn.value) request?.abort();
	if (phase.value !== "starting" && isIn.value) return;
	recordings++;
	sent.value = "";
});

/** Once, however often it is pressed. */
export async function sendToFiles(wav: Blob): Promise<void> {
	if (sent.peek() === "sending") return;
	sent.value = "sending";
	const mine = recordings;
	request = new AbortController();
	const form = new FormData();
	form.set("lang_type", languageInUse());
	form.set("enable_words", "true"); // to be played by a click on each
	form.set("format", "wav");
	const name = savedName(recordedAt.peek(), languageName(languageInUse()));
	form.set("file", wav, `${name}.wav`);
	try {
		await answeredWithin(
			answerMsMaxOf(wav, "wav"),
			(signal) =>
				data("v1/asrfile/upload", { method: "POST", body: form, signal }),
			request,
		);
		if (mine === recordings) sent.value = "done";
	} catch (thrown) {
		// the next recording has taken its place: that this one is lost is said all the same
		const isQuiet = mine !== recordings && sent.peek() !== "";
		if (isIn.peek() && !isQuiet) sent.value = { wrong: reasonOf(thrown) };
	}
}
