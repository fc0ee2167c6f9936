/** The segments of a transcript, drawn as they come into view: one of six hours has thousands. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ResultSegment } from "../../../tasks/result/result.js";
import { tagOf } from "../../parts/options-texts.js";
import { languageInUse } from "../../parts/recognition-options.js";
import type { Player } from "./player.js";
import { isPrinting } from "./printing.js";
import { SegmentRow } from "./segment-row.js";
import type { Transcript } from "./transcript.js";

const perBlock = 25;
const rowHeight = 56;
/** Drawn before it can be seen. */
const margin = "1200px";

interface RowsProps {
	readonly segments: readonly ResultSegment[];
	readonly transcript: Transcript;
	readonly player: Player;
	/** In lower case; only segments that have it, or had it, are shown. */
	readonly search: string;
}

export function Rows({ segments, ...rest }: RowsProps) {
	const shown = useFound(segments, rest.transcript, rest.search);
	const blocks = Array.from(
		{ length: Math.ceil(shown.length / perBlock) },
		(_, i) => shown.slice(i * perBlock, (i + 1) * perBlock),
	);
	return (
		<div class="segments">
			{blocks.map((block, i) => (
				<Block
					key={block[0]?.seg_num}
					segments={block}
					before={blocks[i - 1]?.at(-1)}
					{...rest}
				/>
			))}
		</div>
	);
}

/** Those with the text, and those that had it when the search began: a row stays while its text is corrected. */
function useFound(
	segments: readonly ResultSegment[],
	transcript: Transcript,
	search: string,
): readonly ResultSegment[] {
	const found = useMemo(() => new Set<number>(), [transcript, search]);
	if (!search) return segments;
	return segments.filter((it) => {
		if (it.transcript.toLowerCase().includes(search)) found.add(it.seg_num);
		return found.has(it.seg_num);
	});
}

function Block({
	segments,
	before,
	...rest
}: RowsProps & { readonly before: ResultSegment | undefined }) {
	const whole = useRef<HTMLDivElement>(null);
	// the first rows are seen at once, before the browser says so a frame later
	const isNear = useSignal(before === undefined);
	const isDrawn = isNear.value || isPrinting.value;
	const height = useRef(segments.length * rowHeight);
	useEffect(() => {
		const element = whole.current;
		if (!element) return;
		const observer = new IntersectionObserver(
			([entry]) => {
				if (!entry) return;
				// one that is left keeps its height, so that nothing jumps
				if (isNear.value) height.current = element.offsetHeight;
				isNear.value =
					entry.isIntersecting || element.contains(document.activeElement);
			},
			{ rootMargin: margin },
		);
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	return (
		<div ref={whole} style={isDrawn ? {} : { height: `${height.current}px` }}>
			{isDrawn &&
				segments.map((segment, i) => {
					const previous = i === 0 ? before : segments[i - 1];
					// two that have one name are one person
					const begins =
						previous === undefined || nameOf(segment) !== nameOf(previous);
					return (
						<SegmentRow
							key={segment.seg_num}
							segment={segment}
							begins={begins}
							lang={tagOf(segment.lang_type ?? languageInUse())}
							{...rest}
						/>
					);
				})}
		</div>
	);
}

function nameOf({ speaker, cluster_id }: ResultSegment) {
	return speaker ?? cluster_id;
}
