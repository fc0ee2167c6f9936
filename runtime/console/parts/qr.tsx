/** An address as a QR code: black on white in both colour schemes, since cameras want it so. */
import encodeQR from "qr";

export function Qr({
	text,
	label,
}: {
	readonly text: string;
	readonly label: string;
}) {
	const rows = encodeQR(text, "raw", { border: 2 });
	const path = rows
		.flatMap((row, y) =>
			row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")),
		)
		.join("");
	return (
		<svg
			class="qr"
			viewBox={`0 0 ${rows.length} ${rows.length}`}
			role="img"
			aria-label={label}
		>
			<path d={path} />
		</svg>
	);
}
