/** The lists of one kind. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { DescribedList } from "../../../api/word-lists/schemas.js";
import type { DescribedUse } from "../../../api/word-lists/uses.js";
import { data } from "../../app/api.js";
import { goTo, hrefTo } from "../../app/router.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loading, Problem, reasonOf } from "../../parts/notice.js";
import { languageName } from "../../parts/options-texts.js";
import {
	languageInUse,
	servedLanguages,
} from "../../parts/recognition-options.js";
import { storedLists } from "../../parts/stored-lists.js";
import { Tabs } from "../../parts/tabs.js";
import { common } from "../../texts/common.js";
import { localTime } from "../../texts/texts.js";
import { hasDraft } from "./drafts.js";
import { type ListKind, wordsTexts } from "./texts.js";
import { loadUses, usedBy, useOf } from "./uses.js";

export function Lists({ kind }: { readonly kind: ListKind }) {
	const m = wordsTexts();
	const lists = useSignal<readonly DescribedList[] | undefined>(undefined);
	const wrong = useSignal("");
	const making = useSignal(false);
	const uses = useSignal<readonly DescribedUse[]>([]);
	const shown = useRef(kind);
	shown.current = kind;
	const load = () => {
		void loadUses().then(
			(loaded) => {
				uses.value = loaded;
			},
			() => {}, // the lists are shown without
		);
		return storedLists(kind).then(
			(loaded) => {
				if (shown.current !== kind) return;
				lists.value = loaded;
				wrong.value = "";
			},
			(thrown: unknown) => {
				if (shown.current === kind) wrong.value = reasonOf(thrown);
			},
		);
	};
	// not by a key: the tabs would be made anew, without the focus
	useEffect(() => {
		lists.value = undefined;
		wrong.value = "";
		void load();
	}, [kind]);
	const tabs = {
		hotwords: m.hotwords,
		"correction-words": m["correction-words"],
		"forbidden-words": m["forbidden-words"],
	};
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
				<button
					type="button"
					class="button is-main"
					onClick={() => {
						making.value = true;
					}}
				>
					<Icon name="plus" />
					{m.newList}
				</button>
			</header>
			<div class="stack">
				<Tabs
					label={m.kinds}
					tabs={tabs}
					chosen={kind}
					onChoose={(it) => goTo("words", it)}
				/>
				<p>{m[`about-${kind}`]}</p>
				{wrong.value && (
					<Problem again={() => void load()}>{wrong.value}</Problem>
				)}
				{!lists.value && !wrong.value && <Loading>{common().loading}</Loading>}
				{lists.value?.length === 0 && (
					<div class="card">
						<Empty icon="words" title={m.emptyTitle}>
							<p>{m.empty}</p>
						</Empty>
					</div>
				)}
				<ul class="cards-list">
					{lists.value?.map((it) => (
						<li key={it.id} class="card is-tight row is-apart">
							<div class="grow">
								<a href={hrefTo("words", kind, it.id)}>{it.name || it.id}</a>
								<br />
								<small>
									{languageName(it.lang_type)} · {localTime(it.update_time)}
								</small>
								<Uses text={usedBy(useOf(uses.value, kind, it.id))} />
							</div>
							{hasDraft(kind, it.id) && <span class="badge">{m.unsaved}</span>}
							{it.status === 1 && <span class="badge is-busy">{m.inUse}</span>}
							<span class="badge number">{m.entries(it.amount)}</span>
						</li>
					))}
				</ul>
			</div>
			{making.value && (
				<NewList
					kind={kind}
					onClose={() => {
						making.value = false;
					}}
				/>
			)}
		</>
	);
}

function Uses({ text }: { readonly text: string }) {
	if (text === "") return null;
	return (
		<>
			<br />
			<small>{text}</small>
		</>
	);
}

function NewList({
	kind,
	onClose,
}: {
	readonly kind: ListKind;
	readonly onClose: () => void;
}) {
	const m = wordsTexts();
	const name = useSignal("");
	const language = useSignal(languageInUse());
	const create = async () => {
		const json = { name: name.value, lang_type: language.value, words: [] };
		const { id } = await data<{ readonly id: string }>(`v1/${kind}`, {
			method: "POST",
			json,
		});
		goTo("words", kind, id);
	};
	return (
		<FormDialog
			title={m.newList}
			action={m.create}
			act={create}
			onClose={onClose}
		>
			<TextField label={m.name} text={name} required maxLength={200} />
			<SelectField
				label={m.language}
				value={language.value}
				options={servedLanguages()}
				onChoose={(chosen) => {
					language.value = chosen;
				}}
			/>
		</FormDialog>
	);
}
