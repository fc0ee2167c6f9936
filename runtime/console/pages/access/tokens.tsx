/** The tokens, each with its scopes, its times and a button that revokes it. */
import type { Signal } from "@preact/signals";
import type { ShownToken } from "../../../api/access/tokens.js";
import { Icon } from "../../parts/icon.js";
import { dateTime, list } from "../../texts/texts.js";
import { accessTexts, scopeText } from "./texts.js";

export function Tokens({
	tokens,
	all,
	onNew,
	onRevoke,
}: {
	readonly tokens: readonly ShownToken[];
	/** Those that are no longer valid are shown as well. */
	readonly all: Signal<boolean>;
	readonly onNew: () => void;
	readonly onRevoke: (token: ShownToken) => void;
}) {
	const m = accessTexts();
	return (
		<section class="card stack" aria-label={m.tokens}>
			<div class="row is-apart">
				<h2>{m.tokens}</h2>
				<button type="button" class="button is-main" onClick={onNew}>
					<Icon name="plus" />
					{m.newToken}
				</button>
			</div>
			<ul class="rows-list">
				{tokens.map((it) => (
					<TokenRow key={it.id} token={it} onRevoke={() => onRevoke(it)} />
				))}
			</ul>
			<label class="check">
				<input
					type="checkbox"
					checked={all.value}
					onChange={(event) => {
						all.value = event.currentTarget.checked;
					}}
				/>
				{m.all}
			</label>
		</section>
	);
}

function TokenRow({
	token,
	onRevoke,
}: {
	readonly token: ShownToken;
	readonly onRevoke: () => void;
}) {
	const m = accessTexts();
	const { name, id, scopes, state, created, expires, last_use: use } = token;
	const kind = token.is_session ? m.session : token.app_id ? m.ofApp : "";
	return (
		<li class="row is-apart">
			<div class="grow">
				<strong>{name}</strong> <small class="number">{id}</small>{" "}
				{kind && <span class="badge">{kind}</span>}{" "}
				{state !== "valid" && <span class="badge is-bad">{m[state]}</span>}
				<br />
				<span>{list(scopes.map(scopeText))}</span>
				<br />
				<small>
					<Fact name={m.created} value={dateTime(created)} />
					<Fact name={m.expires} value={dateTime(expires)} />
					<Fact name={m.lastUse} value={use ? dateTime(use.time) : m.never} />
					{use && <code>{use.endpoint}</code>}
				</small>
			</div>
			{state === "valid" && (
				<button
					type="button"
					class="button is-small is-danger"
					aria-label={`${m.revoke}: ${name} ${id}`}
					onClick={onRevoke}
				>
					{m.revoke}
				</button>
			)}
		</li>
	);
}

/** Not broken across lines. */
function Fact({
	name,
	value,
}: {
	readonly name: string;
	readonly value: string;
}) {
	return (
		<span class="fact number">
			{name} {value}
		</span>
	);
}
