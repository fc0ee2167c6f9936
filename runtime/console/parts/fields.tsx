/** Fields of forms: an input with its label around it. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** A choice. @param options value and name of each. */
export function SelectField<Value extends string>({
	label,
	value,
	options,
	onChoose,
}: {
	label: ComponentChildren;
	value: Value;
	options: readonly (readonly [value: Value, name: string])[];
	onChoose: (value: Value) => void;
}) {
	return (
		<label class="field">
			<span>{label}</span>
			<select
				value={value}
				onChange={(event) => onChoose(event.currentTarget.value as Value)}
			>
				{options.map(([it, name]) => (
					<option key={it} value={it}>
						{name}
					</option>
				))}
			</select>
		</label>
	);
}

/** A line of text. @param hint below it. */
export function TextField({
	label,
	text,
	hint,
	type = "text",
	...input
}: {
	label: string;
	text: Signal<string>;
	hint?: string;
	type?: "text" | "search";
	required?: boolean;
	maxLength?: number;
	placeholder?: string;
	inputMode?: "text" | "decimal";
	class?: string;
}) {
	return (
		<label class="field">
			<span>{label}</span>
			<input
				{...input}
				type={type as "text"} // JSX has a type of its own for each
				value={text.value}
				onInput={(event) => {
					text.value = event.currentTarget.value;
				}}
			/>
			{hint && <small>{hint}</small>}
		</label>
	);
}
