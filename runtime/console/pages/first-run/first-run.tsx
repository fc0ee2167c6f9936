/** Nobody is signed in: one field, and what to type on the device. A link from a QR code brings the code in its fragment. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Preferences } from "../../app/preferences.js";
import { forgetFragment, place } from "../../app/router.js";
import { hasEnded, session, signIn } from "../../app/session.js";

import { Icon } from "../../parts/icon.js";
import { Loading, Note, Problem, reasonOf } from "../../parts/notice.js";
import { PlainConnection } from "../../parts/plain-connection.js";
import { firstRunTexts } from "./texts.js";

export function FirstRun() {
	const m = firstRunTexts();
	const field = useRef<HTMLInputElement>(null);
	const typed = useSignal("");
	const busy = useSignal(false);
	const wrong = useSignal("");
	// of the page before it may name a file, which is nothing for the next one who signs in
	useEffect(() => {
		document.title = `${m.title} · earshot`;
	}, [m.title]);
	const enter = async (text: string) => {
		busy.value = true;
		wrong.value = "";
		try {
			await signIn(text);
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
		busy.value = false;
	};
	useSignalEffect(() => {
		// also of a link that is opened in a tab that is here already: only the fragment changes then
		const code = place.value[0]?.startsWith("pair=") && codeInAddress();
		if (code) void enter(code);
	});
	return (
		<main class="lone">
			<header class="lone-head">
				<Icon name="earshot" />
				<span class="brand-name">earshot</span>
				<span class="brand-device">{session.value?.device.name}</span>
				<Preferences />
			</header>
			<form
				class="card stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (typed.value.trim()) void enter(typed.value);
					else field.current?.focus();
				}}
			>
				<h1>{m.title}</h1>
				<div role="status" class={hasEnded.value ? undefined : "hidden-text"}>
					{hasEnded.value && <Note>{m.ended}</Note>}
				</div>
				<p>{m.lead}</p>
				<pre class="command">
					<code>earshot pair</code>
				</pre>
				<label class="field">
					<span>{m.field}</span>
					<input
						ref={field}
						class="code-field"
						value={typed.value}
						autocomplete="one-time-code"
						autocapitalize="characters"
						spellcheck={false}
						aria-describedby="code-hint"
						aria-invalid={wrong.value !== ""}
						onInput={(event) => {
							typed.value = event.currentTarget.value;
						}}
					/>
					<small id="code-hint">{m.hint}</small>
				</label>
				{wrong.value && <Problem>{wrong.value}</Problem>}
				{busy.value ? (
					<Loading>{m.entering}</Loading>
				) : (
					<button type="submit" class="button is-main">
						{m.enter}
					</button>
				)}
			</form>
			<PlainConnection />
		</main>
	);
}

/** The code is taken out of the address: it is good once, and the address stays in the history. A fingerprint behind it is for those who can see certificates; a page can't. */
function codeInAddress(): string | undefined {
	const [, code] = /^#pair=([0-9A-Za-z-]{8,9})(&|$)/.exec(location.hash) ?? [];
	if (code) forgetFragment();
	return code;
}
