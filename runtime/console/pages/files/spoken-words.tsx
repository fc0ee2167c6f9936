/** The text of a segment, in words that play from where they were said. */
import type { ResultSegment } from "../../../tasks/result/result.js";
import { foundPieces } from "./found-pieces.js";
import type { Player } from "./player.js";
import { type Piece, piecesOf } from "./word-pieces.js";

export function SpokenWords({
	segment,
	player,
	isCurrent,
	search,
}: {
	readonly segment: ResultSegment;
	readonly player: Player;
	readonly isCurrent: boolean;
	readonly search: string;
}) {
	const ms = isCurrent ? player.seconds.value * 1000 : -1;
	return (
		<>
			{foundPieces(piecesOf(segment), search).map((piece, i) =>
				piece.beginMs === undefined ? (
					piece.isFound && piece.text.trim() ? (
						<span key={i} class="is-found">
							{piece.text}
						</span>
					) : (
						piece.text
					)
				) : (
					<span
						key={i}
						role="button"
						// a thousand stops would bury the rest: those of the segment that is heard
						tabIndex={isCurrent ? 0 : -1}
						class={classOf(piece, ms, piece.isFound)}
						onClick={() => player.playFrom((piece.beginMs ?? 0) / 1000)}
						onKeyDown={(event) => {
							if (event.key === "Enter")
								player.playFrom((piece.beginMs ?? 0) / 1000);
						}}
					>
						{piece.text}
					</span>
				),
			)}
		</>
	);
}

function classOf(
	{ beginMs = 0, endMs = 0 }: Piece,
	ms: number,
	isFound: boolean,
): string {
	const isCurrent = ms >= beginMs && ms < endMs;
	return `word${isCurrent ? " is-current" : ""}${isFound ? " is-found" : ""}`;
}
