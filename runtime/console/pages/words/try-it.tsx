/** A clip heard twice, without the list and with it. */
import { useSignal } from "@preact/signals";
import { data } from "../../app/api.js";
import { may } from "../../app/session.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { tagOf } from "../../parts/options-texts.js";
import { requestSecondsMax } from "../../parts/recognition-options.js";
import { ClipSources } from "./clip-sources.js";
import { broughtBy, difference, type Part } from "./difference.js";
import { idParameters, type ListKind, wordsTexts } from "./texts.js";

interface TryItProps {
	readonly kind: ListKind;
	readonly id: string;
	readonly language: string;
	readonly words: readonly string[];
	readonly isSaved: boolean;
}

export function TryIt({ kind, id, language, words, isSaved }: TryItProps) {
	const m = wordsTexts();
	const texts = useSignal<readonly [string, string] | undefined>(undefined);
	const busy = useSignal(false);
	const wrong = useSignal("");
	const transcribe = async (
		audio: Blob,
		format: string,
		query: Record<string, string>,
	) => {
		const duration = String(requestSecondsMax);
		const all = { lang_type: language, format, duration, ...query };
		return (
			await data<{ readonly result: string }>("v1/asr/api", {
				method: "POST",
				query: all,
				body: audio,
			})
		).result;
	};
	const run = async (audio: Blob, format: string) => {
		if (busy.value) return; // what is chosen stays, for the next time
		busy.value = true;
		wrong.value = "";
		texts.value = undefined;
		try {
			const without = await transcribe(audio, format, {});
			texts.value = [
				without,
				await transcribe(audio, format, { [idParameters[kind]]: id }),
			];
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
		busy.value = false;
	};
	if (!may("asr")) return null;
	return (
		<section class="card is-tight stack" aria-label={m.try}>
			<h2>{m.try}</h2>
			<p class="small">{m.tryHint}</p>
			{!isSaved && <p class="small">{m.unsavedTry}</p>}
			<ClipSources onClip={(audio, format) => void run(audio, format)} />
			{busy.value && <Loading>{m.transcribing}</Loading>}
			{wrong.value && <Problem>{wrong.value}</Problem>}
			{texts.value && (
				<Outcome
					texts={texts.value}
					words={broughtBy(kind, language, words)}
					language={language}
				/>
			)}
		</section>
	);
}

function Outcome({
	texts: [without, withList],
	words,
	language,
}: {
	readonly texts: readonly [string, string];
	readonly words: readonly string[];
	readonly language: string;
}) {
	const m = wordsTexts();
	const { before, after, brought, changed } = difference(
		without,
		withList,
		words,
	);
	const lang = tagOf(language);
	return (
		<div class="stack-small clip-result" role="status">
			<h3>{m.without}</h3>
			<p lang={lang}>{before.map(shown)}</p>
			<h3>{m.with}</h3>
			<p lang={lang}>{after.map(shown)}</p>
			{without === withList ? (
				<p>{m.same}</p>
			) : (
				<ul>
					<li>{m.brought(brought)}</li>
					<li>{m.changed(changed)}</li>
				</ul>
			)}
		</div>
	);
}

function shown({ text, is }: Part, i: number) {
	if (is === "gone") return <del key={i}>{text}</del>;
	if (is === "new") return <ins key={i}>{text}</ins>;
	return text;
}
