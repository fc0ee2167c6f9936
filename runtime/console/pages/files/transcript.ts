/** One transcript: what was heard, what people made of it, and where its audio is. */
import { computed, signal } from "@preact/signals";
import type { DescribedTask } from "../../../api/files/described-task.js";
import type { ResultSegment } from "../../../tasks/result/result.js";
import { answerTo, ask, data } from "../../app/api.js";
import { reasonOf } from "../../parts/notice.js";
import { taskName } from "../../parts/task-name.js";
import { sentenceOf } from "../../texts/sentence-of.js";
import {
	editsOf,
	type UnsavedEdits,
	withSpeaker,
	withText,
} from "./unsaved-edits.js";

interface Change {
	readonly number: number;
	readonly before: string;
	readonly after: string;
}

/** As the device makes them. */
export const peaksPerSecond = 20;

/** Times of the interface, `hh:mm:ss,mmm`, in seconds. */
export function secondsOf(time: string): number {
	const [hours = 0, minutes = 0, seconds = 0] = time
		.replace(",", ".")
		.split(":")
		.map(Number);
	return hours * 3600 + minutes * 60 + seconds;
}

export class Transcript {
	readonly id: string;
	readonly name = signal("");
	readonly segments = signal<readonly ResultSegment[] | undefined>(undefined);
	readonly notes = signal("");
	readonly wrong = signal("");
	/** A byte for each twentieth of a second. */
	readonly peaks = signal<Uint8Array | undefined>(undefined);
	readonly edits: UnsavedEdits;
	readonly done = signal<readonly Change[]>([]);
	readonly undone = signal<readonly Change[]>([]);
	readonly speakers = computed(() => {
		const names = new Map<number, string>();
		for (const { cluster_id, speaker } of this.segments.value ?? [])
			if (cluster_id !== undefined) names.set(cluster_id, speaker ?? "");
		return [...names].sort(([a], [b]) => a - b);
	});

	constructor(id: string) {
		this.id = id;
		this.edits = editsOf(id);
	}

	async load(): Promise<void> {
		this.wrong.value = "";
		if (this.edits.isUnstored) await this.edits.flush();
		const listed = data<readonly DescribedTask[]>("v1/asrfile/tasks", {
			query: { task_id: this.id },
		});
		listed.catch(() => {}); // reported below
		try {
			const answer = await this.#fetched();
			const stored = answer.data.result ?? [];
			this.segments.value = stored.map((it) => this.edits.applyTo(it));
			this.notes.value =
				answer.message === "success"
					? ""
					: sentenceOf(answer.message.replace(/^success; /, ""));
			const [task] = await listed;
			this.name.value = task ? taskName(task) : this.id;
		} catch (thrown) {
			this.wrong.value = reasonOf(thrown);
		}
	}

	/** Brings what others corrected meanwhile. What was typed here and is not stored yet is the newest; where there is no answer the text stays as it was. */
	async refresh(): Promise<void> {
		// an answer from before they are stored would bring the text before them
		if (this.edits.isUnstored) await this.edits.flush();
		if (this.edits.isUnstored) return;
		const shown = this.segments.value;
		const answer = await this.#fetched().catch(() => undefined);
		if (!answer || this.segments.value !== shown || this.edits.isUnstored)
			return;
		const stored = answer.data.result ?? [];
		const texts = new Map(shown?.map((it) => [it.seg_num, it.transcript]));
		const others = new Set(
			stored
				.filter((it) => texts.get(it.seg_num) !== it.transcript)
				.map((it) => it.seg_num),
		);
		// a change of one's own that is undone would take theirs along
		const isMine = ({ number }: Change) => !others.has(number);
		this.done.value = this.done.value.filter(isMine);
		this.undone.value = this.undone.value.filter(isMine);
		this.segments.value = stored;
	}

	async loadPeaks(): Promise<void> {
		const answer = await answerTo(`v1/asrfile/tasks/${this.id}/peaks`);
		if (answer.ok)
			this.peaks.value = new Uint8Array(await answer.arrayBuffer());
	}

	/** Kept as it is typed. */
	type(number: number, text: string): void {
		const before = this.#textOf(number);
		if (text === before) return;
		const last = this.done.value.at(-1);
		// what is typed into one segment without a pause is undone as one
		this.done.value =
			last?.number === number && this.edits.hasText(number)
				? [...this.done.value.slice(0, -1), { ...last, after: text }]
				: [...this.done.value, { number, before, after: text }];
		this.undone.value = [];
		this.#set(number, text);
	}

	undo(): void {
		const change = this.done.value.at(-1);
		if (!change) return;
		this.done.value = this.done.value.slice(0, -1);
		this.undone.value = [...this.undone.value, change];
		this.#set(change.number, change.before);
	}

	redo(): void {
		const change = this.undone.value.at(-1);
		if (!change) return;
		this.undone.value = this.undone.value.slice(0, -1);
		this.done.value = [...this.done.value, change];
		this.#set(change.number, change.after);
	}

	restore(segment: ResultSegment): void {
		if (segment.original !== undefined)
			this.type(segment.seg_num, segment.original);
	}

	rename(number: number, name: string): void {
		this.segments.value = this.segments.value?.map((it) =>
			it.cluster_id === number ? withSpeaker(it, name) : it,
		);
		this.edits.setName(number, name);
	}

	#fetched() {
		return ask<{ readonly result?: readonly ResultSegment[] }>(
			"v1/asrfile/result",
			{ query: { task_id: this.id } },
		);
	}

	#textOf(number: number): string {
		return (
			this.segments.value?.find((it) => it.seg_num === number)?.transcript ?? ""
		);
	}

	#set(number: number, text: string): void {
		this.segments.value = this.segments.value?.map((it) => {
			if (it.seg_num !== number) return it;
			const changed = withText(it, text);
			this.edits.setText(number, text === changed.original ? null : text);
			return changed;
		});
	}
}
