/** Log lines of a task: enough to find them, nothing that gives access to it. That no line contains a whole id is checked by every helper (test/secrets). */
import t from "tap";
import { startFiles, wavBytes, wavFields } from "./running-files.js";

t.test("a task's lines are found by the beginning of its id", async (t) => {
	const files = await startFiles(t);
	const { data } = await files.upload({
		...wavFields,
		file: wavBytes(0.2),
		[`x${"0123456789abcdef".repeat(2)}`]: "a name that is an id",
		short_name: "y",
	});
	const { task_id: id } = data as { task_id: string };
	const short = id.slice(0, 8);
	await files.get(`/v1/asrfile/tasks/${id}`);
	await files.get(`/${"x".repeat(190)}/${id}`); // cut in the middle of it
	await files.get(`/nowhere/${files.token}`);
	const lines = files.log.map((line) => JSON.parse(line));
	const fieldsOf = (message: string, field: string) =>
		lines.filter(({ msg }) => msg === message).map((it) => it[field]);
	t.same(fieldsOf("file taken", "task"), [short]);
	t.same(fieldsOf("unknown fields ignored", "unknown"), [
		["(long)", "short_name"],
	]);
	t.same(fieldsOf("answered", "path"), [
		"/v1/asrfile/upload",
		`/v1/asrfile/tasks/${short}`,
		`/(long)/${short}`,
		"/nowhere/(long)",
	]);
	const whole = files.log.join("");
	for (const cut of [id, id.slice(0, 9), files.token.slice(0, 9)])
		t.notMatch(whole, cut);
});
