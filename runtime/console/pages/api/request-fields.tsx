/** Where a request to an operation is typed: a field for each parameter, and one for the body. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { FileButton } from "../../parts/file-button.js";
import {
	formFields,
	type Named,
	type Parameter,
	typeText,
} from "./documents.js";
import { type TypedRequest, takesJson } from "./request.js";
import { apiTexts } from "./texts.js";

interface Given {
	readonly operation: Named;
	readonly typed: Signal<TypedRequest>;
}

/** Fields of a form as well. */
export function ParameterFields({ operation, typed }: Given) {
	const parameters = [...operation.parameters, ...formFields(operation)];
	if (parameters.length === 0) return null;
	const { values } = typed.value;
	return (
		<section class="stack-small">
			<h3>{apiTexts().parameters}</h3>
			<div class="options">
				{parameters.map((it) => (
					<ParameterField
						key={it.name}
						parameter={it}
						value={values[it.name] ?? ""}
						onValue={(value) => {
							typed.value = {
								...typed.value,
								values: { ...typed.value.values, [it.name]: value },
							};
						}}
					/>
				))}
			</div>
		</section>
	);
}

/** JSON is typed, anything else is a file. */
export function BodyField({ operation, typed }: Given) {
	const m = apiTexts();
	const { requestBody } = operation;
	if (!requestBody) return null;
	const { body, file } = typed.value;
	return (
		<section class="stack-small">
			<h3>
				{m.body} <small>{Object.keys(requestBody.content).join(", ")}</small>
			</h3>
			{takesJson(operation) ? (
				<textarea
					aria-label={m.body}
					spellcheck={false}
					value={body}
					onInput={(event) => {
						typed.value = { ...typed.value, body: event.currentTarget.value };
					}}
				/>
			) : (
				<FileButton
					label={file?.name ?? m.file}
					main={false}
					accept=""
					onFiles={([chosen]) => {
						typed.value = { ...typed.value, file: chosen };
					}}
				/>
			)}
		</section>
	);
}

function ParameterField({
	parameter,
	value,
	onValue,
}: {
	readonly parameter: Parameter;
	readonly value: string;
	readonly onValue: (value: string) => void;
}) {
	const m = apiTexts();
	const id = useId();
	const { name, required, schema, description } = parameter;
	const usual = schema.default === undefined ? "" : String(schema.default);
	return (
		<div class="field">
			<label for={id}>
				<code>{name}</code> {required && m.required}
			</label>
			{schema.enum ? (
				<select
					id={id}
					value={value}
					onChange={(event) => onValue(event.currentTarget.value)}
				>
					<option value="">{usual}</option>
					{schema.enum.map((it) => (
						<option key={String(it)}>{String(it)}</option>
					))}
				</select>
			) : (
				<input
					id={id}
					value={value}
					placeholder={usual || typeText(schema)}
					onInput={(event) => onValue(event.currentTarget.value)}
				/>
			)}
			{description && <small lang="en">{description}</small>}
		</div>
	);
}
