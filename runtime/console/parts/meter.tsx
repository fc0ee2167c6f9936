/** A level, 0 to 1, on a scale of decibels: as length, and as a number for whoever can't see it. */

const quietestDb = -60;

export function Meter({
	peak,
	label,
	clips = false,
}: {
	readonly peak: number;
	readonly label: string;
	readonly clips?: boolean;
}) {
	const db = peak > 0 ? 20 * Math.log10(peak) : quietestDb;
	const share = Math.max(0, Math.min(1, 1 - db / quietestDb));
	return (
		<div
			class={clips ? "meter is-clipping" : "meter"}
			role="meter"
			aria-label={label}
			aria-valuemin={quietestDb}
			aria-valuemax={0}
			aria-valuenow={Math.round(Math.max(quietestDb, Math.min(0, db)))}
		>
			<div
				class="meter-fill"
				style={{ transform: `scaleX(${share.toFixed(3)})` }}
			/>
		</div>
	);
}
