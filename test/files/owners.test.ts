/** Owners of tasks and recordings: different kinds of owners with the same name share nothing else. */
import t from "tap";
import { anonymousOwner, mqttOwner } from "../../runtime/owner.js";
import { platformTokenPath, signed } from "../api/signed-request.js";
import {
	type RunningFiles,
	startFiles,
	wavBytes,
	wavFields,
} from "./running-files.js";

/** What the holder of a token may do. */
function holder(files: RunningFiles, token: string) {
	const headers = { Authorization: `Bearer ${token}` };
	return {
		tasks: async () => {
			const { data } = await files.get("/v1/asrfile/tasks", token);
			return (data as { task_id: string }[]).map((task) => task.task_id);
		},
		remove: async (id: string) =>
			(
				await files.ask(`/v1/asrfile/tasks/${id}`, {
					method: "DELETE",
					headers,
				})
			).status,
		upload: async () => {
			await files.upload(
				{ ...wavFields, file: wavBytes(0.2) },
				"/v1/asrfile/upload",
				token,
			);
			return files.taskService.last.id;
		},
		record: async () => {
			const { data } = await files.recognize(
				"lang_type=en&format=pcm&audio_url=pcm",
				{ headers },
			);
			return (data as { audio_url: string }).audio_url;
		},
		fetch: async (url: string) =>
			(await fetch(url.replace(/\?.*/, ""), { headers })).status,
	};
}

async function tokenCalled(files: RunningFiles, name: string) {
	const { token } = await files.store.tokens.create({
		name,
		scopes: ["asr", "files"],
		nowSeconds: Date.now() / 1000,
		ttlSeconds: 600,
	});
	return holder(files, token);
}

async function tokenOfApp(files: RunningFiles, name: string) {
	const app = await files.store.apps.create(name, Date.now() / 1000);
	const { data } = await files.ask(platformTokenPath, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(signed(app)),
	});
	return holder(files, (data as { token: string }).token);
}

t.test(
	"an application and a token with the same name share nothing",
	async (t) => {
		const files = await startFiles(t);
		const token = await tokenCalled(files, "kiosk: 3");
		const app = await tokenOfApp(files, "kiosk: 3");
		for (const [one, other] of [
			[token, app],
			[app, token],
		] as const) {
			const task = await one.upload();
			t.same(await one.tasks(), [task]);
			t.same(await other.tasks(), []);
			t.equal(await other.remove(task), "220404");
			const recording = await one.record();
			t.equal(await one.fetch(recording), 200);
			t.equal(await other.fetch(recording), 404, "another's is none");
			t.equal(await one.remove(task), "000000");
		}
	},
);

t.test(
	"a token continues with what another one of its name left",
	async (t) => {
		const files = await startFiles(t);
		const first = await tokenCalled(files, "kiosk-3");
		const task = await first.upload();
		const recording = await first.record();
		await files.store.tokens.revoke("kiosk-3", Date.now() / 1000);
		const renewed = await tokenCalled(files, "kiosk-3");
		t.same(await renewed.tasks(), [task]);
		t.equal(await renewed.fetch(recording), 200);
	},
);

t.test(
	"what was created over MQTT, or without a token, belongs to no token, whatever its name",
	async (t) => {
		const files = await startFiles(t);
		const ids = {
			[mqttOwner]: "a".repeat(32),
			[anonymousOwner]: "b".repeat(32),
		};
		for (const owner of [mqttOwner, anonymousOwner])
			files.taskService.put(ids[owner] ?? "", { owner });
		for (const name of ["fleet", "mqtt", "mqtt:fleet", "anonymous", "anyone"]) {
			for (const made of [tokenCalled, tokenOfApp]) {
				const somebody = await made(files, name);
				t.same(await somebody.tasks(), [], name);
				for (const id of Object.values(ids))
					t.equal(await somebody.remove(id), "220404", name);
			}
		}
		const admin = holder(files, await files.makeToken(["admin"]));
		t.same((await admin.tasks()).sort(), Object.values(ids));
	},
);
