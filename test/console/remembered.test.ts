/** What a browser keeps, where its storage takes nothing more. */
import t from "tap";
import { pageCode, replaceGlobal } from "./page-code.js";

interface Code {
	remembered(
		name: string,
		usual: string,
	): { get(): string; set(value: string): void };
}

t.test("a value that can't be stored holds for this page", async (t) => {
	const stored = new Map<string, string>();
	let isFull = false;
	replaceGlobal(t, "localStorage", {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem(key: string, text: string) {
			if (isFull) throw new DOMException("full", "QuotaExceededError");
			stored.set(key, text);
		},
	});
	const { remembered } = await pageCode<Code>("app/remembered.ts");
	const theme = remembered("theme", "system");
	t.equal(theme.get(), "system");
	theme.set("light");
	isFull = true;
	theme.set("dark");
	t.equal(theme.get(), "dark", "not the one before it");
	isFull = false;
	theme.set("system");
	stored.set("earshot.theme", '"light"');
	t.equal(theme.get(), "light", "nor this one after another tab's");
});
