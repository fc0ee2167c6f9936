import t from "tap";
import { parseMessage } from "../../runtime/client/messages.js";

t.test(
	"the reading is returned with a final text, if there is one",
	async (t) => {
		const told = (spoken?: unknown) =>
			parseMessage(
				JSON.stringify({
					header: { name: "RecognitionCompleted", status: "000000" },
					payload: { result: "今日", spoken },
				}),
			);
		t.match(told("キョウ"), { result: { text: "今日", spoken: "キョウ" } });
		for (const none of [undefined, null, 5])
			t.notOk("spoken" in (told(none) as { result: object }).result);
	},
);
