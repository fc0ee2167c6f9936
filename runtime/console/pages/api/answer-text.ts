/** An answer of the device as text to read. */
import { bytes } from "../../texts/texts.js";
import { apiTexts } from "./texts.js";

const shownMax = 20_000;
/** Of events that never end, which are those that are only read. */
const eventsMs = 3000;

export async function answerText(
	response: Response,
	method: string,
): Promise<string> {
	const type = response.headers.get("content-type") ?? "";
	if (type.startsWith("text/event-stream") && method === "GET")
		return firstEvents(response);
	if (!/json|text|subrip/.test(type)) {
		const size = bytes((await response.arrayBuffer()).byteLength);
		return apiTexts().binary(`${type}, ${size}`);
	}
	const text = await response.text();
	try {
		return JSON.stringify(JSON.parse(text), null, 2).slice(0, shownMax);
	} catch {
		return text.slice(0, shownMax);
	}
}

async function firstEvents({ body }: Response): Promise<string> {
	const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
	if (!reader) return "";
	const cancel = () => void reader.cancel().catch(() => {}); // it has failed
	const timer = setTimeout(cancel, eventsMs);
	let text = "";
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return text.slice(0, shownMax);
			text += value;
			if (text.length > shownMax) cancel();
		}
	} finally {
		clearTimeout(timer);
	}
}
