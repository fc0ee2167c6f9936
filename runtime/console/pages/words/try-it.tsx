/** A clip heard twice, without the list and with it. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { may } from "../../app/session.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { tagOf } from "../../parts/options-texts.js";
import { recognizeClip } from "../../parts/recognize-clip.js";
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

interface Answer {
	readonly result: string;
}

export function TryIt({ kind, id, language, words, isSaved }: TryItProps) {
	const m = wordsTexts();
	const texts = useSignal<readonly [string, string] | undefined>(undefined);
	const busy = useSignal(false);
	const wrong = useSignal("");
	const again = useRef(() => {});
	const run = async (audio: Blob, format: string) => {
		if (busy.value) return; // what is chosen stays, for the next time
		const transcribe = async (query: Record<string, string>) => {
			const all = { lang_type: language, ...query };
			const answer = await recognizeClip<Answer>(audio, format, all);
			return answer.result;
		};
		again.current = () => void run(audio, format);
		busy.value = true;
		wrong.value = "";
		texts.value = undefined;
		try {
			const without = await transcribe({});
			texts.value = [without, await transcribe({ [idParameters[kind]]: id })];
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
			{wrong.value && (
				<Problem again={() => again.current()}>{wrong.value}</Problem>
			)}
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
