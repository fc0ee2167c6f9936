/** Long data of a frame is memory that its connection holds until it is parsed, not only until it has arrived. */
import t from "tap";
import { FrameReader } from "../../runtime/api/wyoming/frame-reader.js";
import { until } from "../fixtures/eventually.js";

const data = Buffer.from(JSON.stringify({ names: "a".repeat(500_000) }));
const payload = Buffer.alloc(1000);
const line = `{"type":"a","data_length":${data.length},"payload_length":${payload.length}}\n`;
const frame = Buffer.concat([Buffer.from(line), data, payload]);

function startReader() {
	const heard: string[] = [];
	const reader = new FrameReader({
		onParsed: ({ type }) => heard.push(type),
		onBadFrame: ({ message }) => heard.push(message),
		onReady: () => heard.push("ready"),
	});
	reader.accept(Buffer.concat([frame, frame]));
	return { reader, heard };
}

t.test("data that is being parsed is held", async (t) => {
	const { reader, heard } = startReader();
	for (const left of [frame.length, 0]) {
		t.equal(reader.next(), undefined);
		t.ok(reader.isParsing);
		t.equal(reader.heldBytes, left + data.length + payload.length);
		await until(() => !reader.isParsing);
		t.equal(reader.heldBytes, left);
	}
	t.same(heard, ["a", "ready", "a", "ready"]);
});

t.test("nothing comes of it once the connection has ended", async (t) => {
	const { reader, heard } = startReader();
	const { reader: other, heard: heardLater } = startReader();
	t.equal(reader.next(), undefined);
	t.equal(other.next(), undefined);
	other.end();
	await until(() => heard.length > 0);
	await until(() => !reader.isParsing);
	t.same(heard, ["a", "ready"]);
	t.same(heardLater, []);
});
