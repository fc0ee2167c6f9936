/** What people changed in a transcript, on its way to the device. What it did not store is sent again with the next change. */
import { signal } from "@preact/signals";
import { data } from "../../app/api.js";
import { reasonOf } from "../../parts/notice.js";

const sendAfterMs = 600;
/** Of one request that may outlive the page: browsers let all of them have 64 KiB together. */
const keepaliveBytesMax = 30_000;

type Part = "segments" | "speakers";

export class UnsavedEdits {
	readonly saving = signal<
		"" | "saving" | "saved" | { readonly wrong: string }
	>("");
	readonly #task: string;
	/** By segment; null: what was recognized, again. */
	readonly #texts = new Map<number, string | null>();
	/** By speaker. */
	readonly #names = new Map<number, string>();
	/** Why the last request of each kind was not stored; empty: it was. */
	readonly #wrong = { segments: "", speakers: "" };
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** Changes are sent one after the other: the device may otherwise keep the older of two. */
	#turn: Promise<void> = Promise.resolve();

	constructor(task: string) {
		this.#task = task;
	}

	hasText(segment: number): boolean {
		return this.#texts.has(segment);
	}

	/** Sent a moment later, with what is typed until then. */
	setText(segment: number, text: string | null): void {
		this.#texts.set(segment, text);
		this.saving.value = "saving";
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.flush(), sendAfterMs);
	}

	setName(speaker: number, name: string): void {
		this.#names.set(speaker, name);
		void this.flush();
	}

	/** What is not sent yet is sent now. @param leaving the page goes: nothing can be waited for */
	async flush(leaving = false): Promise<void> {
		clearTimeout(this.#timer);
		if (leaving) return this.#sendAll();
		this.#turn = this.#turn.then(() => this.#sendAll());
		return this.#turn;
	}

	async #sendAll(): Promise<void> {
		await Promise.all([
			this.#sendPart("segments", this.#texts, (sent) =>
				sent.map(([seg_num, transcript]) => ({ seg_num, transcript })),
			),
			this.#sendPart("speakers", this.#names, Object.fromEntries),
		]);
	}

	async #sendPart<Value>(
		part: Part,
		unsaved: Map<number, Value>,
		json: (sent: readonly (readonly [number, Value])[]) => object,
	): Promise<void> {
		if (unsaved.size === 0) return;
		const sent = [...unsaved];
		unsaved.clear();
		if (await this.#send(part, json(sent))) return;
		for (const [number, value] of sent)
			if (!unsaved.has(number)) unsaved.set(number, value);
	}

	/** @returns whether it is stored. */
	async #send(part: Part, change: object): Promise<boolean> {
		this.saving.value = "saving";
		const stored = await this.#patch({ [part]: change });
		this.#wrong[part] = stored;
		const wrong = this.#wrong.segments || this.#wrong.speakers;
		if (wrong) this.saving.value = { wrong };
		else this.saving.value = this.#texts.size > 0 ? "saving" : "saved";
		return stored === "";
	}

	/** @returns why it is not stored; empty: it is. */
	async #patch(json: object): Promise<string> {
		const { length } = new TextEncoder().encode(JSON.stringify(json));
		const keepalive = length <= keepaliveBytesMax;
		const path = `v1/asrfile/tasks/${this.#task}`;
		try {
			await data(path, { method: "PATCH", json, keepalive });
			return "";
		} catch (thrown) {
			return reasonOf(thrown);
		}
	}
}
