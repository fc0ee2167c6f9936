/** The engines of the device, and what an operator does to them: a restart, and a reload of the configuration. */
import { useSignal } from "@preact/signals";
import type { Reloaded } from "../../../api/device/control.js";
import { data } from "../../app/api.js";
import { may } from "../../app/session.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Note } from "../../parts/notice.js";
import { bytes, list, number } from "../../texts/texts.js";
import type { Status } from "./status.js";
import { deviceTexts } from "./texts.js";

type Lane = Status["lanes"][number];

export function Engines({ now }: { readonly now: Status }) {
	const m = deviceTexts();
	const confirming = useSignal<Lane["lane"] | "reload" | "">("");
	const reloaded = useSignal<Reloaded | undefined>(undefined);
	const close = () => {
		confirming.value = "";
	};
	const nameOf = (lane: string) =>
		lane === "live" ? m["lane-live"] : m["lane-batch"];
	return (
		<>
			<ul class="rows-list">
				{now.lanes.map((it) => (
					<li key={it.lane} class="stack-small">
						<div class="row is-apart">
							<strong>{nameOf(it.lane)}</strong>
							<Phase phase={it.phase} />
						</div>
						<div class="row is-apart">
							<small class="grow">
								{m.lane(it.busy, it.slots)} · {m.queued(number(it.queued))} ·{" "}
								{m.deaths(it.deaths)} · {bytes(it.resident_bytes)}
								{it.processors.length > 0 && ` · ${list(it.processors)}`}
								{it.real_time_factor !== null &&
									it.real_time_factor > 0 &&
									` · ${m.speed(number(1 / it.real_time_factor, 1))}`}
							</small>
							{may("admin") && it.phase === "ready" && (
								<button
									type="button"
									class="button is-small"
									aria-label={`${m.restart}: ${nameOf(it.lane)}`}
									onClick={() => {
										confirming.value = it.lane;
									}}
								>
									{m.restart}
								</button>
							)}
						</div>
					</li>
				))}
			</ul>
			{may("admin") && (
				<button
					type="button"
					class="button"
					onClick={() => {
						confirming.value = "reload";
					}}
				>
					{m.reload}
				</button>
			)}
			{reloaded.value && <Outcome reloaded={reloaded.value} />}
			{confirming.value === "reload" && (
				<ConfirmDialog
					title={m.reloadTitle}
					text={m.reloadText}
					action={m.reload}
					act={async () => {
						reloaded.value = await data<Reloaded>("v1/config/reload", {
							method: "POST",
						});
					}}
					onClose={close}
				/>
			)}
			{confirming.value && confirming.value !== "reload" && (
				<ConfirmDialog
					title={m.restartTitle}
					text={m.restartText(nameOf(confirming.value))}
					action={m.restart}
					act={() =>
						data(`v1/engines/${confirming.value}/restart`, { method: "POST" })
					}
					onClose={close}
				/>
			)}
		</>
	);
}

function Outcome({ reloaded }: { readonly reloaded: Reloaded }) {
	const m = deviceTexts();
	const { changed, need_restart: later } = reloaded;
	return (
		<div role="status">
			<Note>
				<p>{changed.length > 0 ? m.changed(list(changed)) : m.unchanged}</p>
				{later.length > 0 && <p>{m.needRestart(list(later))}</p>}
			</Note>
		</div>
	);
}

function Phase({ phase }: { readonly phase: string }) {
	const m = deviceTexts();
	const phases: Readonly<Record<string, unknown>> = m;
	const text = phases[`phase-${phase}`];
	return (
		<span class={phase === "ready" ? "badge is-good" : "badge"}>
			{typeof text === "string" ? text : phase}
		</span>
	);
}
