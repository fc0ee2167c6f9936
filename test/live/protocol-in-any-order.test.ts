import t from "tap";
import { holds } from "../fuzz/holds.js";
import { promisesAreKept } from "./protocol.property.js";

t.test("sessions end in every way", async (t) => {
	const endings = await holds(t, promisesAreKept(), 10_000);
	t.comment(JSON.stringify(Object.fromEntries(endings)));
	for (const often of [
		"RecognitionCompleted ",
		"RecognitionCompleted 230003",
		"TranscriptionCompleted ",
		"TaskFailed 230001",
		"TaskFailed 230004",
		"gone",
	])
		t.ok((endings.get(often) ?? 0) > 20, `reached: ${often}`);
});
