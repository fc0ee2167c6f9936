/** The options of a recognition: on Live for what is said, on Files for what is uploaded. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DescribedList } from "../../api/word-lists/schemas.js";
import { may } from "../app/session.js";
import { number } from "../texts/texts.js";
import { SelectField } from "./fields.js";
import { languageName, optionsTexts } from "./options-texts.js";
import {
	type ChosenOptions,
	choose,
	chosen,
	languageInUse,
	servedLanguages,
} from "./recognition-options.js";
import { storedLists } from "./stored-lists.js";

const kinds = [
	["hotwordsId", "hotwords", "hotwordsList"],
	["correctionsId", "correction-words", "corrections"],
	["forbiddenId", "forbidden-words", "forbidden"],
] as const;

const switches = ["punctuation", "numbers", "fillers"] as const;

export function OptionsPanel({
	forFiles = false,
}: {
	readonly forFiles?: boolean;
}) {
	const m = optionsTexts();
	const it = chosen.value;
	return (
		<section class="card is-tight stack" aria-label={m.title}>
			<SelectField
				label={m.spoken}
				value={languageInUse()}
				options={servedLanguages()}
				onChoose={(language) => choose({ language })}
			/>
			<label class="field">
				<span>{m.hotwords}</span>
				<textarea
					rows={2}
					value={it.hotwords}
					onInput={(event) => choose({ hotwords: event.currentTarget.value })}
				/>
				<small>{m.hotwordsHint}</small>
			</label>
			<details class="stack">
				<summary>{m.more}</summary>
				{may("hotwords") &&
					kinds.map(([option, kind, label]) => (
						<StoredLists
							key={kind}
							label={m[label]}
							kind={kind}
							option={option}
						/>
					))}
				<label class="field">
					<span>{m.silence}</span>
					<span class="row">
						<input
							class="grow"
							type="range"
							min={200}
							max={1200}
							step={50}
							value={it.silenceMs}
							onInput={(event) =>
								choose({ silenceMs: Number(event.currentTarget.value) })
							}
						/>
						<span class="number">{number(it.silenceMs)} ms</span>
					</span>
				</label>
				<div>
					{switches.map((name) => (
						<Switch key={name} name={name} label={m[name]} />
					))}
					<Switch name="callCenter" label={m.telephone} />
					{forFiles && <Switch name="speakers" label={m.speakers} />}
				</div>
			</details>
		</section>
	);
}

type SwitchName = {
	[K in keyof ChosenOptions]: ChosenOptions[K] extends boolean ? K : never;
}[keyof ChosenOptions];

function Switch({
	name,
	label,
}: {
	readonly name: SwitchName;
	readonly label: string;
}) {
	return (
		<label class="check">
			<input
				type="checkbox"
				checked={chosen.value[name]}
				onChange={(event) => choose({ [name]: event.currentTarget.checked })}
			/>
			<span>{label}</span>
		</label>
	);
}

function StoredLists({
	label,
	kind,
	option,
}: {
	readonly label: string;
	readonly kind: string;
	readonly option: "hotwordsId" | "correctionsId" | "forbiddenId";
}) {
	const lists = useSignal<readonly DescribedList[]>([]);
	useEffect(() => {
		storedLists(kind)
			.then((list) => {
				lists.value = list;
				const value = chosen.value[option];
				if (value && !list.some((it) => it.id === value))
					choose({ [option]: "" });
			})
			.catch(() => {}); // without them it offers none
	}, [kind]);
	if (lists.value.length === 0) return null;
	return (
		<SelectField
			label={label}
			value={chosen.value[option]}
			options={[
				["", optionsTexts().none],
				...lists.value.map(
					({ id, name, lang_type }) =>
						[id, `${name || id} · ${languageName(lang_type)}`] as const,
				),
			]}
			onChoose={(id) => choose({ [option]: id })}
		/>
	);
}
