/** Who speaks: named here, everywhere at once; the same name makes two voices one person. */
import { filesTexts } from "./texts.js";
import type { Transcript } from "./transcript.js";

export function Speakers({ transcript }: { readonly transcript: Transcript }) {
	const m = filesTexts();
	const speakers = transcript.speakers.value;
	if (speakers.length === 0) return null;
	const names = [...new Set(speakers.map(([, name]) => name))].filter(Boolean);
	return (
		<section class="card is-tight stack-small no-print" aria-label={m.speakers}>
			<h2>{m.speakers}</h2>
			<div class="options">
				{speakers.map(([number, name]) => (
					<input
						key={number}
						value={name}
						dir="auto"
						list="speaker-names"
						maxLength={100}
						placeholder={m.speaker(number)}
						aria-label={m.nameOf(number)}
						onChange={(event) =>
							transcript.rename(number, event.currentTarget.value)
						}
					/>
				))}
			</div>
			<datalist id="speaker-names">
				{names.map((it) => (
					<option key={it} value={it} />
				))}
			</datalist>
			{speakers.length > 1 && <small>{m.speakersHint}</small>}
		</section>
	);
}
