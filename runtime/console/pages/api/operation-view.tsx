/** One operation: what it takes, what it answers, the request as curl, and the same from here. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { answerTo } from "../../app/api.js";
import { CopyButton } from "../../parts/copy-button.js";
import { FileButton } from "../../parts/file-button.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { answerText } from "./answer-text.js";
import {
	formFields,
	type Named,
	type Parameter,
	typeText,
	type Values,
} from "./documents.js";
import { curlOf, requestOf, takesJson } from "./request.js";
import { apiTexts } from "./texts.js";

export function OperationView({ operation }: { readonly operation: Named }) {
	const open = useSignal(false);
	const { method, path, summary } = operation;
	return (
		<details
			class="operation stack"
			onToggle={(event) => {
				open.value = event.currentTarget.open;
			}}
		>
			<summary>
				<span class="method">{method}</span>
				<code>{path}</code>
				<span class="small" lang="en">
					{summary}
				</span>
			</summary>
			{open.value && <Details operation={operation} />}
		</details>
	);
}

function Details({ operation }: { readonly operation: Named }) {
	const m = apiTexts();
	const values = useSignal<Values>({});
	const body = useSignal("");
	const file = useSignal<File | undefined>(undefined);
	const answer = useSignal<
		"" | "asking" | { http: number; text: string } | { wrong: string }
	>("");
	const { requestBody, responses, method } = operation;
	const parameters = [...operation.parameters, ...formFields(operation)];
	const types = Object.keys(requestBody?.content ?? {});
	const isJson = takesJson(operation);
	const typed = () => ({
		values: values.value,
		body: body.value,
		file: file.value,
	});
	const ask = async () => {
		answer.value = "asking";
		try {
			const { path, ...parts } = requestOf(operation, typed());
			const response = await answerTo(path, parts);
			answer.value = {
				http: response.status,
				text: await answerText(response, method),
			};
		} catch (thrown) {
			answer.value = { wrong: reasonOf(thrown) };
		}
	};
	return (
		<div class="stack">
			{parameters.length > 0 && (
				<section class="stack-small">
					<h3>{m.parameters}</h3>
					<div class="options">
						{parameters.map((it) => (
							<ParameterField
								key={it.name}
								parameter={it}
								value={values.value[it.name] ?? ""}
								onValue={(value) => {
									values.value = { ...values.value, [it.name]: value };
								}}
							/>
						))}
					</div>
				</section>
			)}
			{requestBody && (
				<section class="stack-small">
					<h3>
						{m.body} <small>{types.join(", ")}</small>
					</h3>
					{isJson ? (
						<textarea
							aria-label={m.body}
							spellcheck={false}
							value={body.value}
							onInput={(event) => {
								body.value = event.currentTarget.value;
							}}
						/>
					) : (
						<FileButton
							label={file.value?.name ?? m.file}
							main={false}
							accept=""
							onFiles={([chosen]) => {
								file.value = chosen;
							}}
						/>
					)}
				</section>
			)}
			<section class="stack-small">
				<h3>{m.answers}</h3>
				<dl class="facts" lang="en">
					{Object.entries(responses).map(([http, { description }]) => [
						<dt key={http}>{http}</dt>,
						<dd key={`${http}/`}>{description}</dd>,
					])}
				</dl>
			</section>
			<section class="stack-small">
				<h3>{m.request}</h3>
				<pre tabIndex={0}>
					<code>{curlOf(operation, typed())}</code>
				</pre>
				<div class="row">
					<CopyButton text={() => curlOf(operation, typed())} />
					<button
						type="button"
						class="button is-main"
						onClick={() => void ask()}
					>
						{m.try}
					</button>
					<small>
						{m.tryHint} {method !== "GET" && m.confirm}
					</small>
				</div>
			</section>
			{answer.value === "asking" && <Loading>{m.trying}</Loading>}
			{typeof answer.value === "object" && "wrong" in answer.value && (
				<Problem>{answer.value.wrong}</Problem>
			)}
			{typeof answer.value === "object" && "http" in answer.value && (
				<section class="stack-small">
					<h3>
						{m.answer} {answer.value.http}
					</h3>
					<pre tabIndex={0}>
						<code>{answer.value.text}</code>
					</pre>
				</section>
			)}
		</div>
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
