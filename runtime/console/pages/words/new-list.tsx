/** A new list, with a name and a language. */
import { useSignal } from "@preact/signals";
import { data } from "../../app/api.js";
import { goTo } from "../../app/router.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { FormDialog } from "../../parts/form-dialog.js";
import {
	languageInUse,
	servedLanguages,
} from "../../parts/recognition-options.js";
import { type ListKind, wordsTexts } from "./texts.js";

export function NewList({
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
