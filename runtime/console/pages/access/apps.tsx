/** The applications, each with a button that revokes it. */
import type { ShownApp } from "../../../api/access/apps.js";
import { Icon } from "../../parts/icon.js";
import { Empty } from "../../parts/notice.js";
import { accessTexts } from "./texts.js";

export function Apps({
	apps,
	onNew,
	onRevoke,
}: {
	readonly apps: readonly ShownApp[];
	readonly onNew: () => void;
	readonly onRevoke: (app: ShownApp) => void;
}) {
	const m = accessTexts();
	return (
		<section class="card stack" aria-label={m.apps}>
			<div class="row is-apart">
				<h2>{m.apps}</h2>
				<button type="button" class="button" onClick={onNew}>
					<Icon name="plus" />
					{m.newApp}
				</button>
			</div>
			{apps.length === 0 ? (
				<Empty icon="key" title={m.noApps}>
					<p>{m.noAppsHint}</p>
				</Empty>
			) : (
				<ul class="rows-list">
					{apps.map((it) => (
						<AppRow key={it.app_id} app={it} onRevoke={() => onRevoke(it)} />
					))}
				</ul>
			)}
		</section>
	);
}

function AppRow({
	app: { app_id, name, state },
	onRevoke,
}: {
	readonly app: ShownApp;
	readonly onRevoke: () => void;
}) {
	const m = accessTexts();
	return (
		<li class="row is-apart">
			<div class="grow">
				<strong>{name}</strong>{" "}
				{state === "revoked" && <span class="badge is-bad">{m.revoked}</span>}
				<br />
				<small>{app_id}</small>
			</div>
			{state === "valid" && (
				<button
					type="button"
					class="button is-small is-danger"
					aria-label={`${m.revoke}: ${name} ${app_id}`}
					onClick={onRevoke}
				>
					{m.revoke}
				</button>
			)}
		</li>
	);
}
