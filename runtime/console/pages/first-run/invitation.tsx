/** On a device that nobody has set up yet: to its first steps, for whoever may take them. */
import { signal } from "@preact/signals";
import { remembered } from "../../app/remembered.js";
import { hrefTo } from "../../app/router.js";
import { may, session } from "../../app/session.js";
import { Note } from "../../parts/notice.js";
import { setUpTexts } from "./set-up-texts.js";

/** In this browser. */
const kept = remembered("set-up-later", false);
const isDismissed = signal(kept.get());

export function dismiss(): void {
	kept.set(true);
	isDismissed.value = true;
}

export function Invitation() {
	const m = setUpTexts();
	const isDue = session.value?.device.set_up === false && may("admin");
	if (!isDue || isDismissed.value) return null;
	return (
		<Note>
			<p>{m.invitation}</p>
			<div class="row">
				<a class="button is-main" href={hrefTo("live", "set-up")}>
					{m.start}
				</a>
				<button type="button" class="button" onClick={dismiss}>
					{m.later}
				</button>
			</div>
		</Note>
	);
}
