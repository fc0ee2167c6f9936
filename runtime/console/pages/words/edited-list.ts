/** One list while it is edited: what is stored, what was changed since, and what the device left out. */
import { signal } from "@preact/signals";
import type {
	ListChanged,
	WholeList,
} from "../../../api/word-lists/schemas.js";
import type { DescribedUse } from "../../../api/word-lists/uses.js";
import { data } from "../../app/api.js";
import type { Dropped } from "../../parts/dropped-entries.js";
import { reasonOf } from "../../parts/notice.js";
import { draftOf, keepDraft } from "./drafts.js";
import type { ListKind } from "./texts.js";
import { loadUses } from "./uses.js";

export class EditedList {
	/** Undefined until it is known. */
	readonly stored = signal<WholeList | undefined>(undefined);
	/** As they are shown: with changes, and with those that the device did not take. */
	readonly entries = signal<readonly string[]>([]);
	/** Entries that the device did not take: they stay, so that they can be corrected. */
	readonly refused = signal<readonly string[]>([]);
	readonly dropped = signal<Dropped>([]);
	readonly wrong = signal("");
	readonly state = signal<"" | "unsaved" | "saving" | "saved">("");
	/** Of all lists. Undefined while they are not known. */
	readonly uses = signal<readonly DescribedUse[] | undefined>(undefined);
	readonly #path: string;
	/** Of a request whose answer did not come: if they are stored, they are this page's own. */
	#unconfirmed: ReadonlySet<string> = new Set();

	constructor(
		readonly kind: ListKind,
		readonly id: string,
	) {
		this.#path = `v1/${kind}/${id}`;
	}

	async load(): Promise<void> {
		this.wrong.value = "";
		try {
			const stored = await data<WholeList>(this.#path);
			this.stored.value = stored;
			const draft = draftOf(this.kind, this.id, stored.words);
			if (draft) this.change(draft);
			else this.entries.value = stored.words;
		} catch (thrown) {
			this.wrong.value = reasonOf(thrown);
		}
	}

	async loadUses(): Promise<void> {
		// the list is shown without
		this.uses.value = await loadUses().catch(() => undefined);
	}

	change(entries: readonly string[]): void {
		this.entries.value = entries;
		this.state.value = "unsaved";
		this.#keepDraft(entries);
	}

	/** @param added "" is one to be filled in. */
	add(added: readonly string[]): void {
		const known = new Set(this.entries.value);
		const isNew = (it: string) => it === "" || !known.has(it);
		this.change([...added.filter(isNew), ...this.entries.value]);
	}

	async save(): Promise<void> {
		this.state.value = "saving";
		this.wrong.value = "";
		try {
			await this.#save();
		} catch (thrown) {
			this.wrong.value = reasonOf(thrown);
			this.state.value = "unsaved";
		}
	}

	/** @throws ApiError */
	async remove(): Promise<void> {
		await data(this.#path, { method: "DELETE" });
		this.#keepDraft(undefined);
	}

	/** What others have added or removed since it was loaded. @throws ApiError */
	async #merge(): Promise<void> {
		const now = await data<WholeList>(this.#path);
		const shown = this.entries.value;
		const mine = new Set(shown);
		const isOthers = (it: string) => mine.has(it) || !this.#unconfirmed.has(it);
		const merged = draftOf(this.kind, this.id, now.words)?.filter(isOthers);
		this.stored.value = now;
		if (!merged) return;
		const isSame =
			merged.length === shown.length &&
			merged.every((it, at) => it === shown[at]);
		// as it is where nothing changed: rows in which somebody types stay
		this.change(isSame ? shown : merged);
		this.state.value = "saving";
	}

	/** @throws ApiError */
	async #save(): Promise<void> {
		await this.#merge(); // the request replaces all entries
		const sent = this.entries.value;
		const words = sent.filter((it) => it.trim() !== "");
		this.#unconfirmed = new Set(words);
		const { dropped } = await data<ListChanged>(this.#path, {
			method: "PUT",
			query: { show_dropped: "true" },
			json: { words },
		});
		const stored = await data<WholeList>(this.#path);
		this.stored.value = stored;
		this.#unconfirmed = new Set();
		this.dropped.value = dropped;
		const kept = new Set(stored.words);
		const left =
			dropped.length > 0 ? words.filter((it) => !kept.has(it.trim())) : [];
		this.refused.value = left;
		// what was typed while it was saved stays, and is still to be saved
		if (this.entries.value !== sent) return this.change(this.entries.value);
		const shown = [...left, ...stored.words];
		this.entries.value = shown;
		this.state.value = "saved";
		// those that were refused are kept for whoever corrects them later
		this.#keepDraft(left.length > 0 ? shown : undefined);
	}

	#keepDraft(entries: readonly string[] | undefined): void {
		keepDraft(this.kind, this.id, entries, this.stored.value?.words);
	}
}
