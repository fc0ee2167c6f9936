/** How the texts of segments were chosen, for people: `earshot transcribe --explain`. */
import type { ExplainedCandidate, Refinement } from "../models/refinement.js";

/** More are rarely read, and the rest of them differ little. */
const candidatesMax = 8;

export interface RefinedPart extends Refinement {
	/** Of its audio. */
	readonly seconds: number;
}

/**
 * The recognizer's own text, the recognized syllables, and the candidates with their scores, the chosen one marked; then the same for the hotwords that were
 * tried in it.
 */
export function explained({
	text: chosen,
	seconds,
	explanation: { ownText, sounds, candidates, hotwords = [] },
}: RefinedPart): string {
	const needed = [ownText, chosen];
	return [
		`audio       ${seconds.toFixed(1)} s`,
		`recognized  ${ownText}`,
		`syllables   ${sounds}`,
		...table(candidates, chosen, needed),
		...(hotwords.length > 0 ? table(hotwords, chosen, needed) : []),
	].join("\n");
}

function table(
	candidates: readonly ExplainedCandidate[],
	chosen: string,
	needed: readonly string[],
): string[] {
	const names = Object.keys(candidates[0]?.scores ?? {});
	const shown = candidates.slice(0, candidatesMax);
	for (const candidate of candidates.slice(candidatesMax))
		if (needed.includes(candidate.text)) shown.push(candidate);
	const rows = shown.map(({ text, total, scores }) => {
		const numbers = [total, ...names.map((name) => scores[name] ?? Number.NaN)];
		const mark = text === chosen ? ">" : " ";
		return `${mark} ${numbers.map((it, i) => it.toFixed(1).padStart(widthOf(i, names))).join(" ")}  ${text}`;
	});
	const titles = ["total", ...names].map((it, i) =>
		it.padStart(widthOf(i, names)),
	);
	return [`  ${titles.join(" ")}`, ...rows];
}

function widthOf(column: number, names: readonly string[]): number {
	return Math.max(7, column === 0 ? 0 : (names[column - 1] as string).length);
}
