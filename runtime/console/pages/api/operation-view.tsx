/** One operation: what it takes, what it answers, the request as curl, and the same from here. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { answerTo, apiUrl } from "../../app/api.js";
import { CopyButton } from "../../parts/copy-button.js";
import { FileButton } from "../../parts/file-button.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { bytes } from "../../texts/texts.js";
import {
	type Named,
	type Parameter,
	pathWith,
	typeText,
	type Values,
} from "./documents.js";
import { apiTexts } from "./texts.js";

const shownMax = 20_000;

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
	const { parameters, requestBody, responses, method } = operation;
	const types = Object.keys(requestBody?.content ?? {});
	const isJson = types.includes("application/json");
	const ask = async () => {
		answer.value = "asking";
		try {
			const { path, query } = pathWith(operation, values.value);
			const response = await answerTo(path, {
				method: method as "GET",
				query,
				...(requestBody &&
					isJson &&
					body.value && {
						body: body.value,
						headers: { "Content-Type": "application/json" },
					}),
				...(file.value && { body: file.value }),
			});
			answer.value = { http: response.status, text: await shownBody(response) };
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
					<code>
						{curlOf(operation, values.value, isJson ? body.value : "")}
					</code>
				</pre>
				<div class="row">
					<CopyButton
						text={() =>
							curlOf(operation, values.value, isJson ? body.value : "")
						}
					/>
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

async function shownBody(response: Response): Promise<string> {
	const type = response.headers.get("content-type") ?? "";
	if (!/json|text|subrip/.test(type)) {
		const size = bytes((await response.arrayBuffer()).byteLength);
		return apiTexts().binary(`${type}, ${size}`);
	}
	const text = await response.text();
	try {
		return JSON.stringify(JSON.parse(text), null, 2).slice(0, shownMax);
	} catch {
		return text.slice(0, shownMax);
	}
}

function curlOf(operation: Named, values: Values, body: string): string {
	const { path, query } = pathWith(operation, values);
	const lines = [
		`curl${operation.method === "GET" ? "" : ` -X ${operation.method}`}`,
		...(operation.security ? [`-H "Authorization: Bearer TOKEN"`] : []),
		...(body
			? [`-H "Content-Type: application/json"`, `-d ${quoted(body)}`]
			: []),
		...(operation.requestBody && !body ? ["--data-binary @FILE"] : []),
		quoted(apiUrl(path, query)),
	];
	return lines.join(" \\\n  ");
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
