/** What people type to sign in, as their keyboards write it. */
import t from "tap";
import { FakeDevice, pageCode } from "./page-code.js";

interface Session {
	/** @throws ApiError */
	signIn(typed: string): Promise<void>;
}

t.test("a pairing code is one in any width of letters", async (t) => {
	const { signIn } = await pageCode<Session>("app/session.ts");
	const device = new FakeDevice(t);
	for (const [typed, code] of [
		["ABCD-EFGH", "ABCD-EFGH"],
		[" abcdefgh\n", "abcdefgh"],
		["ABCD EFGH", "ABCD EFGH"],
		["ABCD - EFGH", "ABCD - EFGH"],
		["AB CD EF GH", "AB CD EF GH"],
		["ＡＢＣＤ－ＥＦＧＨ", "ABCD-EFGH"],
		["ａｂｃｄ　ｅｆｇｈ", "abcd efgh"],
		["ABCDーEFGH", "ABCDーEFGH"],
	] as const) {
		const number = device.requests.length;
		void signIn(typed);
		const { path, json } = await device.request(number);
		t.same([path, json], ["/v1/console/pair", { code }], typed);
	}
});

t.test("a token is sent as it is", async (t) => {
	const { signIn } = await pageCode<Session>("app/session.ts");
	const device = new FakeDevice(t);
	const entered = signIn(" es_0123456789abcdefghijklmnop\n");
	const request = await device.request(0);
	t.equal(request.path, "/v1/console/session");
	request.answer("000000", { signed_in: true });
	await entered;
});

t.test("so is one that was copied with a space in it", async (t) => {
	const { signIn } = await pageCode<Session>("app/session.ts");
	const device = new FakeDevice(t);
	void signIn("es_0123456789 abcdefghijklmnop");
	const { path } = await device.request(0);
	t.equal(path, "/v1/console/session", "no try of a pairing code is used");
});

t.test("what can't be a token is refused by the device in words", async (t) => {
	const { signIn } = await pageCode<Session>("app/session.ts");
	const device = new FakeDevice(t);
	const entered = signIn("配对码");
	(await device.request(0)).answer("110002", null, 401);
	const refusal = await entered.catch((thrown: unknown) => thrown);
	t.match(refusal, { http: 401, status: "110002" });
});
