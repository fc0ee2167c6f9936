import t from "tap";
import { KeywordProcess } from "../../runtime/engine/keyword-process.js";

t.test("a device too busy for keywords says when to come back", async (t) => {
	const keywords = new KeywordProcess(1); // no process starts within that
	t.teardown(() => keywords.close());
	const text = "北京大学的研究人员发表了关于量子计算的论文。";
	await t.rejects(keywords.find({ is: "terms", text, countMax: 5 }), {
		status: "100004",
		message: /keywords were not found within/,
		retryAfterSeconds: Number,
	});
});
