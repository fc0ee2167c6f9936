/** One operation: what it takes, what it answers, the request as curl, and the same from here. */
import { useSignal } from "@preact/signals";
import { answerTo } from "../../app/api.js";
import { CopyButton } from "../../parts/copy-button.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { answerText } from "./answer-text.js";
import type { Named } from "./documents.js";
import { curlOf, requestOf, type TypedRequest } from "./request.js";
import { BodyField, ParameterFields } from "./request-fields.js";
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

/** What came of a request; "": none was sent. */
type Outcome =
	| ""
	| "sent"
	| { readonly http: number; readonly text: string }
	| { readonly wrong: string };

function Details({ operation }: { readonly operation: Named }) {
	const typed = useSignal<TypedRequest>({
		values: {},
		body: "",
		file: undefined,
	});
	const outcome = useSignal<Outcome>("");
	const send = async () => {
		outcome.value = "sent";
		try {
			const { path, ...parts } = requestOf(operation, typed.value);
			const response = await answerTo(path, parts);
			outcome.value = {
				http: response.status,
				text: await answerText(response, operation.method),
			};
		} catch (thrown) {
			outcome.value = { wrong: reasonOf(thrown) };
		}
	};
	return (
		<div class="stack">
			<ParameterFields operation={operation} typed={typed} />
			<BodyField operation={operation} typed={typed} />
			<PossibleAnswers operation={operation} />
			<Request
				method={operation.method}
				curl={curlOf(operation, typed.value)}
				onSend={() => void send()}
			/>
			<Answer outcome={outcome.value} />
		</div>
	);
}

function PossibleAnswers({ operation }: { readonly operation: Named }) {
	return (
		<section class="stack-small">
			<h3>{apiTexts().answers}</h3>
			<dl class="facts" lang="en">
				{Object.entries(operation.responses).map(([http, { description }]) => [
					<dt key={http}>{http}</dt>,
					<dd key={`${http}/`}>{description}</dd>,
				])}
			</dl>
		</section>
	);
}

function Request({
	method,
	curl,
	onSend,
}: {
	readonly method: string;
	readonly curl: string;
	readonly onSend: () => void;
}) {
	const m = apiTexts();
	return (
		<section class="stack-small">
			<h3>{m.request}</h3>
			<pre tabIndex={0}>
				<code>{curl}</code>
			</pre>
			<div class="row">
				<CopyButton text={() => curl} />
				<button type="button" class="button is-main" onClick={onSend}>
					{m.try}
				</button>
				<small>
					{m.tryHint} {method !== "GET" && m.confirm}
				</small>
			</div>
		</section>
	);
}

function Answer({ outcome }: { readonly outcome: Outcome }) {
	const m = apiTexts();
	if (outcome === "") return null;
	if (outcome === "sent") return <Loading>{m.trying}</Loading>;
	if ("wrong" in outcome) return <Problem>{outcome.wrong}</Problem>;
	return (
		<section class="stack-small">
			<h3>
				{m.answer} {outcome.http}
			</h3>
			<pre tabIndex={0}>
				<code>{outcome.text}</code>
			</pre>
		</section>
	);
}
