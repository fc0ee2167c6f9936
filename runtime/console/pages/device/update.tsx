/** How updates of the program stand, and whether another version is offered. */
import { useSignal } from "@preact/signals";
import type { UpdateAvailability } from "../../../api/device/update.js";
import { data } from "../../app/api.js";
import { may } from "../../app/session.js";
import { Note, Problem, reasonOf } from "../../parts/notice.js";
import { sentenceOf } from "../../texts/sentence-of.js";
import { bytes, dateTime } from "../../texts/texts.js";
import { type Fact, Facts } from "./card.js";
import type { Status } from "./status.js";
import { updateTexts } from "./update-texts.js";

export function Update({ now }: { readonly now: Status }) {
	const m = updateTexts();
	const { is_executable, has_previous, trial, refused } = now.update;
	const facts: readonly Fact[] = [
		[m.installed, now.version],
		...(is_executable
			? ([
					[m.trial, trial ? m.onTrial(trial.to, trial.from) : m.noTrial],
					[m.previous, has_previous ? m.kept : m.notKept],
				] as const)
			: []),
	];
	return (
		<>
			<Facts facts={facts} />
			{refused && (
				<Problem>
					{m.refused(refused.version, dateTime(refused.at))}
					{refused.why && <span lang="en"> {sentenceOf(refused.why)}</span>}
				</Problem>
			)}
			{is_executable ? (
				may("admin") && <UpdateCheck />
			) : (
				<small>{m.checkout}</small>
			)}
		</>
	);
}

function UpdateCheck() {
	const m = updateTexts();
	const found = useSignal<UpdateAvailability | undefined>(undefined);
	const wrong = useSignal("");
	const busy = useSignal(false);
	const check = async () => {
		busy.value = true;
		wrong.value = "";
		found.value = undefined;
		try {
			found.value = await data<UpdateAvailability>("v1/update/check", {
				method: "POST",
			});
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
		busy.value = false;
	};
	return (
		<>
			<button
				type="button"
				class="button"
				disabled={busy.value}
				onClick={() => void check()}
			>
				{busy.value ? m.checking : m.check}
			</button>
			{wrong.value && <Problem>{wrong.value}</Problem>}
			{found.value && (
				<div role="status">
					<Found found={found.value} />
				</div>
			)}
		</>
	);
}

function Found({ found }: { readonly found: UpdateAvailability }) {
	const m = updateTexts();
	switch (found.is) {
		case "newer":
			return <Newer found={found} />;
		case "none":
			return <Note>{m.none}</Note>;
		case "failed":
			return (
				<Problem>
					{m.failed} <span lang="en">{found.reason}</span>
				</Problem>
			);
		case "not-configured":
			return <Note>{m.notConfigured}</Note>;
		default:
			return <Note>{m.checkout}</Note>;
	}
}

/** Its version, its size, and what it changes. */
function Newer({ found }: { readonly found: UpdateAvailability }) {
	const m = updateTexts();
	const { version, bytes: size, notes, reason } = found;
	return (
		<div class="stack-small">
			<Note>{m.newer(version, size > 0 ? ` (${bytes(size)})` : "")}</Note>
			<h3>{m.changes}</h3>
			{notes ? (
				<p class="release-notes">{notes.trim()}</p>
			) : (
				<p class="small">{m.noNotes}</p>
			)}
			{reason && <small lang="en">{sentenceOf(reason)}</small>}
		</div>
	);
}
