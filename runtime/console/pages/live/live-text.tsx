/** The text: finished sentences, and the one that grows. Only finished ones are read out to whoever listens. */
import { useComputed, useSignal } from "@preact/signals";
import { may } from "../../app/session.js";
import { CopyButton } from "../../parts/copy-button.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loading, Note, Problem } from "../../parts/notice.js";
import { languageName, tagOf } from "../../parts/options-texts.js";
import { languageInUse } from "../../parts/recognition-options.js";
import { saveText } from "../../parts/save-text.js";
import { common } from "../../texts/common.js";
import { clockTime, number } from "../../texts/texts.js";
import { CodeDialog } from "./code-dialog.js";
import { clear, measurements, phase, recording } from "./live-model.js";
import { partials } from "./partials.js";
import { savedName } from "./saved-name.js";
import { sendToFiles, sent } from "./sent-recording.js";
import type { Sentence } from "./sentence.js";
import {
	isShortened,
	sentences,
	sentencesMax,
	wasSilent,
} from "./sentences.js";
import { liveTexts } from "./texts.js";

/** Below it a word is underlined. */
const unsureBelow = 0.5;

export function LiveText() {
	const m = liveTexts();
	// not read here: finished sentences are not drawn again for each partial
	const hasPartials = useComputed(() => partials.value.size > 0);
	const isEmpty = sentences.value.length === 0 && !hasPartials.value;
	return (
		<section class="card stack" aria-label={m.sentences}>
			<div class="live-text">
				{isEmpty && (
					<Empty icon="earshot" title={m.emptyTitle}>
						<p>{m.empty}</p>
					</Empty>
				)}
				{isShortened.value && (
					<p class="small">{m.shortened(number(sentencesMax))}</p>
				)}
				<div aria-live="polite" class="stack-small">
					{sentences.value.map((it) => (
						<Finished key={it.key} sentence={it} />
					))}
				</div>
				<Partials />
			</div>
			{/* there before its text, which would not be read out otherwise */}
			<div role="status" class={wasSilent.value ? undefined : "hidden-text"}>
				{wasSilent.value && <Note>{m.noSpeech}</Note>}
			</div>
			<Measurements />
			{!isEmpty && <Actions />}
		</section>
	);
}

/** A line for each microphone. */
function Partials() {
	return (
		<>
			{[...partials.value].map(([key, { stable, rest, language, room }]) => (
				<p key={key} class="partial" lang={tagOf(language)} dir="auto">
					<span class="stable">{stable}</span>
					{rest}
					{room && <span class="sentence-facts">{room}</span>}
				</p>
			))}
		</>
	);
}

function Finished({ sentence }: { readonly sentence: Sentence }) {
	const m = liveTexts();
	const { room, text, beginMs, confidence, language, azimuthDeg } = sentence;
	const facts = [
		...(room === undefined ? [] : [room]),
		...(beginMs === undefined ? [] : [clockTime(beginMs / 1000)]),
		...(confidence === undefined
			? []
			: [m.confidence(number(confidence * 100))]),
		...(azimuthDeg === undefined ? [] : [m.direction(number(azimuthDeg))]),
	];
	return (
		<p lang={tagOf(language)} dir="auto">
			{marked(text, sentence.words ?? []).map(({ part, unsure }, i) =>
				unsure ? (
					<span key={i} class="unsure">
						{part}
					</span>
				) : (
					part
				),
			)}
			{facts.length > 0 && (
				<span class="sentence-facts number">{facts.join(" · ")}</span>
			)}
		</p>
	);
}

/** The text in parts, where words that are unsure are parts of their own. */
function marked(text: string, words: NonNullable<Sentence["words"]>) {
	const parts: { part: string; unsure: boolean }[] = [];
	let from = 0;
	for (const { word, confidence } of words) {
		if (confidence === undefined || confidence >= unsureBelow) continue;
		const at = text.indexOf(word, from);
		if (at < 0) continue;
		parts.push(
			{ part: text.slice(from, at), unsure: false },
			{ part: word, unsure: true },
		);
		from = at + word.length;
	}
	parts.push({ part: text.slice(from), unsure: false });
	return parts.filter(({ part }) => part !== "");
}

function Measurements() {
	const m = liveTexts();
	const { firstWordMs, finalMs, audioMs, lagMs, dropped } = measurements.value;
	if (audioMs === 0) return null;
	const ms = (value: number | undefined) =>
		value === undefined ? "–" : `${number(value)} ms`;
	const shown = [
		[m.firstWord, ms(firstWordMs)],
		[m.final, ms(finalMs)],
		[m.audioLength, clockTime(audioMs / 1000)],
		[m.lag, ms(lagMs)],
		[m.dropped, m.frames(dropped)],
	];
	return (
		<dl class="measurements">
			{shown.map(([label, value]) => (
				<div key={label}>
					<dt class="small">{label}</dt>
					<dd class="measurement-value">{value}</dd>
				</div>
			))}
		</dl>
	);
}

function Actions() {
	const m = liveTexts();
	const c = common();
	const code = useSignal(false);
	const text = () => sentences.value.map((it) => it.text).join("\n");
	const save = () => {
		const name = savedName(new Date(), languageName(languageInUse()));
		saveText(`${name}.txt`, `${text()}\n`);
	};
	const audio = recording();
	return (
		<div class="stack-small">
			<div class="row">
				<CopyButton text={text} />
				<button type="button" class="button" onClick={save}>
					<Icon name="download" />
					{c.download}
				</button>
				{audio && may("files") && (
					<button
						type="button"
						class="button"
						disabled={phase.value !== "idle"}
						onClick={() => void sendToFiles(audio)}
					>
						<Icon name="file" />
						{m.toFiles}
					</button>
				)}
				<button
					type="button"
					class="button"
					onClick={() => {
						code.value = true;
					}}
				>
					<Icon name="code" />
					{m.asCode}
				</button>
				<button
					type="button"
					class="button"
					onClick={clear}
					disabled={phase.value !== "idle"}
				>
					{m.clear}
				</button>
			</div>
			{sent.value === "sending" && <Loading>{m.sendingToFiles}</Loading>}
			{audio && sent.value === "done" && (
				<Note>
					<a href="#/files">{m.toFilesDone}</a>
				</Note>
			)}
			{typeof sent.value === "object" && <Problem>{sent.value.wrong}</Problem>}
			{code.value && (
				<CodeDialog
					onClose={() => {
						code.value = false;
					}}
				/>
			)}
		</div>
	);
}
