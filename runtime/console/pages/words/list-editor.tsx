/** One list: its entries in a table, the device's complaints about them, and what it changes in a clip. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type {
	ListChanged,
	WholeList,
} from "../../../api/word-lists/schemas.js";
import { data } from "../../app/api.js";
import { goTo, hrefTo } from "../../app/router.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import {
	type Dropped,
	droppedText,
	reasonText,
} from "../../parts/dropped-entries.js";
import { Icon } from "../../parts/icon.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { needsReading } from "../../parts/options-texts.js";
import { common } from "../../texts/common.js";
import { draftOf, keepDraft } from "./drafts.js";
import { Entries } from "./entries.js";
import { EntryActions } from "./entry-actions.js";
import { type ListKind, wordsTexts } from "./texts.js";
import { TryIt } from "./try-it.js";
import { loadUses, usedBy, useOf } from "./uses.js";

/** Of those that were left out. */
const keptMax = 50;

export function ListEditor({
	kind,
	id,
}: {
	readonly kind: ListKind;
	readonly id: string;
}) {
	const m = wordsTexts();
	const list = useSignal<WholeList | undefined>(undefined);
	const entries = useSignal<readonly string[]>([]);
	/** Entries that the device did not take: they stay, so that they can be corrected. */
	const refused = useSignal<readonly string[]>([]);
	const wrong = useSignal("");
	const dropped = useSignal<Dropped>([]);
	const state = useSignal<"" | "unsaved" | "saving" | "saved">("");
	const removing = useSignal(false);
	/** Undefined while it is not known. */
	const use = useSignal<{ readonly text: string } | undefined>(undefined);
	const loadUse = () =>
		loadUses().then(
			(uses) => {
				use.value = { text: usedBy(useOf(uses, kind, id)) };
			},
			() => {
				use.value = undefined; // the list is shown without
			},
		);
	const change = (next: readonly string[]) => {
		entries.value = next;
		state.value = "unsaved";
		keepDraft(kind, id, next, list.value?.words);
	};
	const load = async () => {
		try {
			const stored = await data<WholeList>(`v1/${kind}/${id}`);
			list.value = stored;
			const draft = draftOf(kind, id, stored.words);
			if (draft) change(draft);
			else entries.value = stored.words;
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
	};
	useEffect(() => {
		void load();
		void loadUse();
	}, [kind, id]);
	const add = (added: readonly string[]) => {
		const known = new Set(entries.value);
		const isNew = (it: string) => it === "" || !known.has(it);
		change([...added.filter(isNew), ...entries.value]);
	};
	const save = async () => {
		state.value = "saving";
		wrong.value = "";
		try {
			const sent = entries.value;
			const words = sent.filter((it) => it.trim() !== "");
			const change = await data<ListChanged>(`v1/${kind}/${id}`, {
				method: "PUT",
				query: { show_dropped: "true" },
				json: { words },
			});
			const stored = await data<WholeList>(`v1/${kind}/${id}`);
			list.value = stored;
			const kept = new Set(stored.words);
			dropped.value = change.dropped;
			const left =
				change.dropped.length > 0
					? words.filter((it) => !kept.has(it.trim())).slice(0, keptMax)
					: [];
			refused.value = left;
			// what was typed while it was saved stays, and is still to be saved
			if (entries.value !== sent) state.value = "unsaved";
			else {
				const shown = [...left, ...stored.words];
				entries.value = shown;
				state.value = "saved";
				// those that were refused are kept for whoever corrects them later
				const rest = left.length > 0 ? shown : undefined;
				keepDraft(kind, id, rest, stored.words);
			}
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
			state.value = "unsaved";
		}
	};
	/** In the language of now. */
	const whyOf = new Map(
		dropped.value.flatMap(({ reason, entries }) =>
			entries.map((it) => [it, reasonText(reason)] as const),
		),
	);
	const complaints = new Map(
		refused.value.map((it) => [it, whyOf.get(it) ?? m.leftOut]),
	);
	const stateText = {
		"": "",
		unsaved: m.unsaved,
		saving: m.saving,
		saved: m.saved,
	}[state.value];
	return (
		<>
			<header class="page-head">
				<div class="row grow">
					<a
						class="icon-button"
						href={hrefTo("words", kind)}
						aria-label={m.back}
						title={m.back}
					>
						<Icon name="back" />
					</a>
					<h1 class="file-name grow">{list.value?.name || id}</h1>
				</div>
				<div class="row">
					<span class="small" role="status">
						{stateText}
					</span>
					<button
						type="button"
						class="button is-main"
						onClick={() => void save()}
						disabled={state.value !== "unsaved"}
					>
						{m.save}
					</button>
				</div>
			</header>
			{wrong.value && <Problem>{wrong.value}</Problem>}
			{!list.value && !wrong.value && <Loading>{common().loading}</Loading>}
			{list.value && (
				<div class="columns">
					<section class="card is-tight stack">
						<EntryActions kind={kind} id={id} onAdd={add} />
						{kind === "hotwords" && needsReading(list.value.lang_type) && (
							<p class="small">{m.withReading}</p>
						)}
						{dropped.value.length > 0 && (
							<Problem>{droppedText(dropped.value)}</Problem>
						)}
						<Entries
							language={list.value.lang_type}
							entries={entries.value}
							refused={complaints}
							onChange={change}
						/>
						<div class="stack-small">
							{use.value && <p class="small">{use.value.text || m.notUsed}</p>}
							<button
								type="button"
								class="button is-danger"
								onClick={() => {
									void loadUse();
									removing.value = true;
								}}
							>
								{m.removeList}
							</button>
						</div>
					</section>
					<TryIt
						kind={kind}
						id={id}
						language={list.value.lang_type}
						words={list.value.words}
						isSaved={state.value !== "unsaved"}
					/>
				</div>
			)}
			{removing.value && (
				<ConfirmDialog
					title={m.removeTitle}
					text={m.removeText(list.value?.name || id)}
					note={use.value?.text && `${use.value.text} ${m.removeUsed}`}
					action={common().remove}
					act={async () => {
						await data(`v1/${kind}/${id}`, { method: "DELETE" });
						keepDraft(kind, id, undefined);
						goTo("words", kind);
					}}
					onClose={() => {
						removing.value = false;
					}}
				/>
			)}
		</>
	);
}
