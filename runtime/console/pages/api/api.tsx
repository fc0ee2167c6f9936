/** API: the device's own documents, and each operation to try. */
import { useSignal } from "@preact/signals";
import { answerTo, apiUrl, type Envelope, refusal } from "../../app/api.js";
import { useLoaded } from "../../parts/loaded.js";
import { Loading, Problem } from "../../parts/notice.js";
import { Tabs } from "../../parts/tabs.js";
import { common } from "../../texts/common.js";
import {
	type AsyncApi,
	type Channel,
	type OpenApi,
	operationsOf,
	type Schema,
	typeText,
} from "./documents.js";
import { OperationView } from "./operation-view.js";
import { apiTexts } from "./texts.js";

const documents = { http: "v1/openapi.json", messages: "v1/asyncapi.json" };

export function ApiPage() {
	const m = apiTexts();
	const shown = useSignal<keyof typeof documents>("http");
	const filter = useSignal("");
	const http = useLoaded(() => documentAt<OpenApi>(documents.http));
	const messages = useLoaded(() => documentAt<AsyncApi>(documents.messages));
	const wrong = http.wrong || messages.wrong;
	const wanted = filter.value.toLowerCase();
	const operations =
		http.value &&
		operationsOf(http.value).filter(({ path, summary }) =>
			`${path} ${summary}`.toLowerCase().includes(wanted),
		);
	const channels = Object.entries(messages.value?.channels ?? {}).filter(
		([name, { address }]) =>
			`${name} ${address}`.toLowerCase().includes(wanted),
	);
	const found =
		shown.value === "http"
			? operations?.length
			: messages.value && channels.length;
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
			</header>
			<div class="stack">
				<p>{m.lead}</p>
				<div class="row">
					<Tabs
						label={m.documents}
						tabs={{ http: m.http, messages: m.messages }}
						chosen={shown.value}
						onChoose={(it) => {
							shown.value = it;
						}}
					/>
					<input
						class="search"
						type="search"
						placeholder={m.filter}
						aria-label={m.filter}
						value={filter.value}
						onInput={(event) => {
							filter.value = event.currentTarget.value;
						}}
					/>
					<a href={apiUrl(documents[shown.value])}>{m.download}</a>
				</div>
				{wrong && <Problem>{wrong}</Problem>}
				{!operations && !wrong && <Loading>{common().loading}</Loading>}
				<div class="card">
					{shown.value === "http"
						? operations?.map((it) => (
								<OperationView key={`${it.method} ${it.path}`} operation={it} />
							))
						: channels.map(([name, it]) => (
								<ChannelView
									key={name}
									name={name}
									channel={it}
									document={messages.value}
								/>
							))}
					{found === 0 && <p>{m.noMatch}</p>}
				</div>
			</div>
		</>
	);
}

/** @throws ApiError */
async function documentAt<T>(path: string): Promise<T> {
	const response = await answerTo(path);
	const document = await response.json();
	if (!response.ok) throw refusal(response, document as Envelope<unknown>);
	return document as T;
}

function ChannelView({
	name,
	channel,
	document,
}: {
	readonly name: string;
	readonly channel: Channel;
	readonly document: AsyncApi | undefined;
}) {
	const m = apiTexts();
	return (
		<details class="operation stack">
			<summary>
				<span class="method">{name}</span>
				<code>{channel.address}</code>
			</summary>
			{channel.description && <p lang="en">{channel.description}</p>}
			{Object.entries(channel.messages).map(([title, message]) => (
				<div key={title} class="stack-small">
					<h3>
						{title}: {m.payload}
					</h3>
					<Fields schema={payloadOf(message, document)} />
				</div>
			))}
		</details>
	);
}

function payloadOf(
	message: Channel["messages"][string],
	document: AsyncApi | undefined,
): Schema {
	const name = message.$ref?.split("/").at(-1) ?? "";
	return (
		message.payload ?? document?.components?.messages?.[name]?.payload ?? {}
	);
}

/** The properties of an object, and those of objects in it. */
export function Fields({
	schema,
	depth = 0,
}: {
	readonly schema: Schema;
	readonly depth?: number;
}) {
	const properties = Object.entries(schema.properties ?? {});
	if (properties.length === 0) return <p class="small">{typeText(schema)}</p>;
	return (
		<dl class="fields" lang="en">
			{properties.map(([name, field]) => [
				<dt key={name}>
					<code>{name}</code>
				</dt>,
				<dd key={`${name}/`}>
					{typeText(field)} <small>{field.description}</small>
					{depth < 2 && field.properties && (
						<Fields schema={field} depth={depth + 1} />
					)}
				</dd>,
			])}
		</dl>
	);
}
