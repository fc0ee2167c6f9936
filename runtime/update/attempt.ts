/**
 * Record of an update on trial, written beside the program before the new one replaces it, and removed once the new one has proved itself. The next start of
 * the program decides by it: a process that was killed in the middle, or a power cut, leaves nothing undecided.
 *
 * It does not use the wall clock: devices often start without one. Starts are counted, and seconds are counted since the machine started.
 */
import { type Static, Type } from "@sinclair/typebox";
import { writeWhole } from "../disk/whole-file.js";
import { fits } from "../json/json-schema.js";
import { type Places, readText } from "./places.js";

const attemptSchema = Type.Object({
	schema: Type.Literal(1),
	/** Versions. */
	from: Type.String(),
	to: Type.String(),
	/** Of the new program, which may not be in place yet. */
	sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
	/** Which signed file it is (offer.ts), known without its bytes; none for a rollback. */
	offer: Type.Optional(Type.String()),
	/** Time to become healthy. */
	healthySeconds: Type.Number({ minimum: 0 }),
	/** Number of starts. */
	starts: Type.Integer({ minimum: 0 }),
	/** The service manager's id of the last start, if any. */
	invocation: Type.Optional(Type.String()),
	/** The first start since the machine was started. */
	first: Type.Optional(
		Type.Object({ boot: Type.String(), seconds: Type.Number() }),
	),
});

export type Attempt = Static<typeof attemptSchema>;

/** One start without health may be due to a power cut; several in a row are the program's fault. */
const startsMax = 3;

export interface Moment {
	/** Differs for each boot of the machine. */
	readonly boot: string;
	/** Since boot. */
	readonly seconds: number;
	/** systemd's INVOCATION_ID: the same for everything in one start. */
	readonly invocation?: string;
}

export type Verdict =
	| { readonly is: "start"; readonly attempt: Attempt }
	| { readonly is: "go back"; readonly why: string };

/** Decides at a start of the program on trial. */
export function judgeStart(attempt: Attempt, now: Moment): Verdict {
	const { starts, first, healthySeconds } = attempt;
	const { boot, seconds, invocation } = now;
	if (invocation !== undefined && invocation === attempt.invocation)
		return { is: "start", attempt };
	if (starts >= startsMax)
		return {
			is: "go back",
			why: `it was started ${starts} times and did not become healthy`,
		};
	const isSameBoot = first?.boot === boot;
	if (isSameBoot && seconds - first.seconds > healthySeconds)
		return {
			is: "go back",
			why: `it did not become healthy within ${healthySeconds} s`,
		};
	return {
		is: "start",
		attempt: {
			...attempt,
			starts: starts + 1,
			first: isSameBoot ? first : { boot, seconds },
			...(invocation !== undefined && { invocation }),
		},
	};
}

/** @returns undefined where nothing is on trial, and where the record can't be read: the program then counts as accepted. */
export async function readAttempt({
	attempt: path,
}: Places): Promise<Attempt | undefined> {
	const text = await readText(path);
	if (text === undefined) return undefined;
	try {
		const parsed: unknown = JSON.parse(text);
		return fits(attemptSchema, parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

export async function writeAttempt(
	{ attempt: path }: Places,
	attempt: Attempt,
): Promise<void> {
	await writeWhole(path, `${JSON.stringify(attempt)}\n`);
}
