/** Access: tokens and applications. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ShownApp } from "../../../api/access/apps.js";
import type { ShownToken } from "../../../api/access/tokens.js";
import { data } from "../../app/api.js";
import { may } from "../../app/session.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loading, Problem, reasonOf } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { dateTime, list } from "../../texts/texts.js";
import { NewAccess } from "./new-access.js";
import { accessTexts, scopeText } from "./texts.js";

export function AccessPage() {
	const m = accessTexts();
	const tokens = useSignal<readonly ShownToken[] | undefined>(undefined);
	const apps = useSignal<readonly ShownApp[]>([]);
	const wrong = useSignal("");
	const making = useSignal<"" | "token" | "app">("");
	const revoking = useSignal<{ path: string; name: string } | undefined>(
		undefined,
	);
	const all = useSignal(false);
	const load = async () => {
		try {
			tokens.value = await data<readonly ShownToken[]>("v1/tokens");
			apps.value = await data<readonly ShownApp[]>("v1/apps");
			wrong.value = "";
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
	};
	useEffect(() => {
		if (may("admin")) void load();
	}, []);
	const shown = (it: { state: string }) => all.value || it.state === "valid";
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
			</header>
			{!may("admin") && <Problem>{common().forbidden("admin")}</Problem>}
			{wrong.value && (
				<Problem again={() => void load()}>{wrong.value}</Problem>
			)}
			{may("admin") && !tokens.value && !wrong.value && (
				<Loading>{common().loading}</Loading>
			)}
			{tokens.value && (
				<div class="stack">
					<p>{m.lead}</p>
					<section class="card stack" aria-label={m.tokens}>
						<div class="row is-apart">
							<h2>{m.tokens}</h2>
							<button
								type="button"
								class="button is-main"
								onClick={() => {
									making.value = "token";
								}}
							>
								<Icon name="plus" />
								{m.newToken}
							</button>
						</div>
						<ul class="rows-list">
							{tokens.value.filter(shown).map((it) => (
								<TokenRow
									key={it.id}
									token={it}
									onRevoke={() => {
										revoking.value = {
											path: `v1/tokens/${it.id}`,
											name: it.name,
										};
									}}
								/>
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
					<section class="card stack" aria-label={m.apps}>
						<div class="row is-apart">
							<h2>{m.apps}</h2>
							<button
								type="button"
								class="button"
								onClick={() => {
									making.value = "app";
								}}
							>
								<Icon name="plus" />
								{m.newApp}
							</button>
						</div>
						{apps.value.filter(shown).length === 0 ? (
							<Empty icon="key" title={m.noApps}>
								<p>{m.noAppsHint}</p>
							</Empty>
						) : (
							<ul class="rows-list">
								{apps.value.filter(shown).map((it) => (
									<li key={it.app_id} class="row is-apart">
										<div class="grow">
											<strong>{it.name}</strong>{" "}
											{it.state === "revoked" && (
												<span class="badge is-bad">{m.revoked}</span>
											)}
											<br />
											<small>{it.app_id}</small>
										</div>
										{it.state === "valid" && (
											<button
												type="button"
												class="button is-small is-danger"
												onClick={() => {
													revoking.value = {
														path: `v1/apps/${it.app_id}`,
														name: it.name,
													};
												}}
											>
												{m.revoke}
											</button>
										)}
									</li>
								))}
							</ul>
						)}
					</section>
				</div>
			)}
			{making.value && (
				<NewAccess
					kind={making.value}
					onClose={() => {
						making.value = "";
						void load();
					}}
				/>
			)}
			{revoking.value && (
				<ConfirmDialog
					title={m.revokeTitle}
					text={m.revokeText(revoking.value.name)}
					action={m.revoke}
					act={async () => {
						await data(revoking.value?.path ?? "", { method: "DELETE" });
						await load();
					}}
					onClose={() => {
						revoking.value = undefined;
					}}
				/>
			)}
		</>
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
