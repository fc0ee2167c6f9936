/** Access: tokens and applications. */
import { useSignal } from "@preact/signals";
import type { ShownApp } from "../../../api/access/apps.js";
import type { ShownToken } from "../../../api/access/tokens.js";
import { data } from "../../app/api.js";
import { may } from "../../app/session.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { useLoaded } from "../../parts/loaded.js";
import { Loading, Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { Apps } from "./apps.js";
import { NewAccess } from "./new-access.js";
import { accessTexts } from "./texts.js";
import { Tokens } from "./tokens.js";

export function AccessPage() {
	return (
		<>
			<header class="page-head">
				<h1>{accessTexts().title}</h1>
			</header>
			{may("admin") ? (
				<Access />
			) : (
				<Problem>{common().forbidden("admin")}</Problem>
			)}
		</>
	);
}

function Access() {
	const m = accessTexts();
	const tokens = useLoaded(() => data<readonly ShownToken[]>("v1/tokens"));
	const apps = useLoaded(() => data<readonly ShownApp[]>("v1/apps"));
	const reload = () => Promise.all([tokens.reload(), apps.reload()]);
	const wrong = tokens.wrong || apps.wrong;
	const making = useSignal<"" | "token" | "app">("");
	const revoking = useSignal<{ path: string; name: string } | undefined>(
		undefined,
	);
	const all = useSignal(false);
	const isShown = (it: { readonly state: string }) =>
		all.value || it.state === "valid";
	return (
		<>
			{wrong && <Problem again={() => void reload()}>{wrong}</Problem>}
			{!tokens.value && !wrong && <Loading>{common().loading}</Loading>}
			{tokens.value && (
				<div class="stack">
					<p>{m.lead}</p>
					<Tokens
						tokens={tokens.value.filter(isShown)}
						all={all}
						onNew={() => {
							making.value = "token";
						}}
						onRevoke={({ id, name }) => {
							revoking.value = { path: `v1/tokens/${id}`, name };
						}}
					/>
					<Apps
						apps={apps.value?.filter(isShown) ?? []}
						onNew={() => {
							making.value = "app";
						}}
						onRevoke={({ app_id, name }) => {
							revoking.value = { path: `v1/apps/${app_id}`, name };
						}}
					/>
				</div>
			)}
			{making.value && (
				<NewAccess
					kind={making.value}
					onClose={() => {
						making.value = "";
						void reload();
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
						await reload();
					}}
					onClose={() => {
						revoking.value = undefined;
					}}
				/>
			)}
		</>
	);
}
