/** What people changed in a transcript, on its way to the device. What it did not store is sent again with the next change, or when the transcript is opened again. */
import { signal } from "@preact/signals";
import type { ResultSegment } from "../../../tasks/result/result.js";
import { data } from "../../app/api.js";
import { ofVisitor } from "../../app/session.js";
import { reasonOf } from "../../parts/notice.js";

const sendAfterMs = 600;
/** Of one request that may outlive the page: browsers let all of them have 64 KiB together. */
const keepaliveBytesMax = 30_000;

/** Those that have something to be stored, of transcripts that were left as well. */
const unstored = new Map<string, UnsavedEdits>();

addEventListener("beforeunload", (event) => {
	// what was typed a moment before is still sent; what could not be sent is lost unless the browser asks
	for (const [key, { saving }] of unstored)
		if (key.startsWith(ofVisitor()) && typeof saving.value === "object")
			event.preventDefault();
});

function keyOf(task: string): string {
	return `${ofVisitor()}${task}`;
}

export function editsOf(task: string): UnsavedEdits {
	return unstored.get(keyOf(task)) ?? new UnsavedEdits(task);
}

/** The transcript is deleted. */
export function forgetEdits(task: string): void {
	unstored.delete(keyOf(task));
}

type Part = "segments" | "speakers";

export class UnsavedEdits {
	readonly saving = signal<
		"" | "saving" | "saved" | { readonly wrong: string }
	>("");
	readonly #task: string;
	readonly #key: string;
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
		this.#key = keyOf(task);
	}

	/** Also while they are sent. */
	get isUnstored(): boolean {
		return unstored.get(this.#key) === this;
	}

	/** @param segment as the device has it. @returns it with what could not be stored */
	applyTo(segment: ResultSegment): ResultSegment {
		const text = this.#texts.get(segment.seg_num);
		const name = this.#names.get(segment.cluster_id ?? Number.NaN);
		const typed = text === undefined ? segment : withText(segment, text);
		return name === undefined ? typed : withSpeaker(typed, name);
	}

	hasText(segment: number): boolean {
		return this.#texts.has(segment);
	}

	/** Sent a moment later, with what is typed until then. */
	setText(segment: number, text: string | null): void {
		this.#texts.set(segment, text);
		unstored.set(this.#key, this);
		this.saving.value = "saving";
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.flush(), sendAfterMs);
	}

	setName(speaker: number, name: string): void {
		this.#names.set(speaker, name);
		unstored.set(this.#key, this);
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
		const isStored = this.#texts.size === 0 && this.#names.size === 0;
		if (isStored && this.isUnstored) unstored.delete(this.#key);
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
		unstored.set(this.#key, this);
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

/** @param text null: what was recognized */
export function withText(
	segment: ResultSegment,
	text: string | null,
): ResultSegment {
	const original = segment.original ?? segment.transcript;
	return { ...segment, transcript: text ?? original, original };
}

export function withSpeaker(
	{ speaker: _, ...segment }: ResultSegment,
	name: string,
): ResultSegment {
	return name.trim() ? { ...segment, speaker: name.trim() } : segment;
}
