/**
 * An update on trial, written down beside the program before the new one takes its place, and removed when the new one proved itself. Whoever starts the
 * program next decides by it: a process that was killed in the middle, or a power cut, leaves nothing undecided.
 *
 * The clock is not asked: devices often start without one. Starts are counted, and seconds are those since the machine started.
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
	/** Of the new program: it may not be in its place yet. */
	sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
	/** It has so long to become healthy. */
	healthySeconds: Type.Number({ minimum: 0 }),
	/** How often it was started. */
	starts: Type.Integer({ minimum: 0 }),
	/** The service manager's name for the last of them, where it told one. */
	invocation: Type.Optional(Type.String()),
	/** The first start since the machine was started. */
	first: Type.Optional(
		Type.Object({ boot: Type.String(), seconds: Type.Number() }),
	),
});

export type Attempt = Static<typeof attemptSchema>;

/** A start that is not followed by health may be the power's fault; more in a row are the program's. */
const startsMax = 3;

export interface Moment {
	/** Another one for each start of the machine. */
	readonly boot: string;
	/** Since then. */
	readonly seconds: number;
	/** systemd's INVOCATION_ID: one for all that belongs to one start. */
	readonly invocation?: string;
}

export type Verdict =
	| { readonly is: "start"; readonly attempt: Attempt }
	| { readonly is: "go back"; readonly why: string };

/** At a start of the program on trial. */
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

/** @returns undefined where nothing is on trial, and where the record can't be read: then nobody can say more than the program itself. */
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
