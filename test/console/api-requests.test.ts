/** What the API page sends when an operation is tried, and what it shows of the answer. */
import { mock } from "node:test";
import t from "tap";
import { pageCode } from "./page-code.js";

interface Requests {
	requestOf(operation: object, typed: object): { readonly body?: unknown };
	curlOf(operation: object, typed: object): string;
}

const upload = {
	method: "POST",
	path: "/v1/asrfile/upload",
	security: [{}],
	summary: "",
	parameters: [],
	responses: {},
	requestBody: {
		required: true,
		content: {
			"multipart/form-data": {
				schema: {
					required: ["file", "format"],
					properties: {
						file: { type: "string", format: "binary" },
						format: { type: "string" },
						clusters: { type: "integer" },
					},
				},
			},
		},
	},
};

t.test("a form is sent as one, with its file and fields", async (t) => {
	const { requestOf, curlOf } = await pageCode<Requests>(
		"pages/api/request.ts",
	);
	const file = new File(["RIFF"], "a.wav");
	const typed = { values: { format: "wav" }, body: "", file };
	const { body } = requestOf(upload, typed);
	t.ok(body instanceof FormData);
	t.same(
		[...(body as FormData)].map(([name, value]) =>
			typeof value === "string" ? [name, value] : [name, value.name],
		),
		[
			["format", "wav"],
			["file", "a.wav"],
		],
	);
	t.match(curlOf(upload, typed), /-F 'format=wav' \\\n +-F file=@FILE/);
});

t.test("of events the first seconds are shown", async (t) => {
	const { answerText } = await pageCode<{
		answerText(response: Response, method: string): Promise<string>;
	}>("pages/api/answer-text.ts");
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	let isCancelled = false;
	const events = new ReadableStream({
		start: (stream) => stream.enqueue(Buffer.from("data: {}\n\n")),
		cancel: () => {
			isCancelled = true;
		},
	});
	const headers = { "content-type": "text/event-stream; charset=utf-8" };
	const shown = answerText(new Response(events, { headers }), "GET");
	await new Promise((resolve) => setImmediate(resolve));
	mock.timers.tick(3000);
	t.equal(await shown, "data: {}\n\n");
	t.ok(isCancelled);
});
