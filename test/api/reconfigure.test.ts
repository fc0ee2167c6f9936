import t from "tap";
import { loadConfig } from "../../runtime/config/load.js";
import { startApi } from "./running-api.js";

t.test("settings changed by a reload apply to the next request", async (t) => {
	const api = await startApi(t);
	const origin = "https://a.example";
	const ask = async () => {
		const answer = await api.recognize("lang_type=en", {
			headers: { Origin: origin },
		});
		return {
			http: answer.http,
			allowed: answer.headers.get("access-control-allow-origin"),
		};
	};
	t.same(await ask(), { http: 200, allowed: null });
	const reload = (...overrides: string[]) =>
		api.api.reconfigure(
			loadConfig({ environment: {}, root: t.testdirName, overrides }).values,
		);
	reload(`server.cors_origins=${origin}`);
	t.same(await ask(), { http: 200, allowed: origin });
	reload("auth.rate_per_second=0.001", "auth.rate_burst=1");
	await ask();
	t.same(await ask(), { http: 429, allowed: null });
	reload("auth.rate_per_second=0");
	t.equal((await ask()).http, 200);

	const signed = () =>
		api.ask("/platform/v1/auth/online/token", {
			method: "POST",
			body: JSON.stringify({
				app_id: "none",
				timestamp: Math.floor(Date.now() / 1000) - 30,
				signatureNonce: "n",
				signature: "c2lnbmF0dXJl",
			}),
		});
	t.equal((await signed()).status, "110002", "30 s are within 300");
	reload("auth.clock_skew_seconds=10");
	t.match(await signed(), { status: "200002", message: /within 10 seconds/ });
});
