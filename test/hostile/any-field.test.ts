/**
 * Row by row what scripts/fuzz hostile/any-field draws: each field that somebody outside may write into, with each of the worst texts. Where several endpoints are
 * one piece of code, a field of theirs is tried at one of them.
 */
import t, { type Test } from "tap";
import { tinyModel } from "../e2e/tiny-model.js";
import { brokerMissing } from "../fleet/broker.js";
import type { Field } from "./field.js";
import { type FieldTrial, FieldTrials } from "./field-trial.js";
import { type GiantBody, giantBodies } from "./giant-bodies.js";
import { giantForms } from "./giant-forms.js";
import { HttpFields } from "./http-fields.js";
import { startWatched } from "./watched-appliance.js";
import { worstForChoices, worstStrings } from "./worst-strings.js";

/** Of marks that are to be sorted, this much used to hold the loop for a tenth of a second. */
const bytes = 48 * 1024;
const atOnce = 10; // more of them hold the loop together on a slow processor, and each is then tried by itself

/** Fields of endpoints that are read by the code of another one, and what that one is called. */
const sameCode = [
	{
		// wordListRoutes: the kinds differ in what a word may be
		fields: /^\w+ \/v1\/(correction|forbidden)-words.*: (?!words|file)/,
		own: /(correction|forbidden)[-_]words/g,
		other: "hotwords",
	},
	{
		fields: /^POST .*\/upload\/vip/,
		own: "/upload/vip",
		other: "/upload",
	},
	{
		fields: /^POST .*\/audio\/translations/,
		own: "translations",
		other: "transcriptions",
	},
	{
		fields: /^POST \/inference /,
		own: "/inference",
		other: "/v1/audio/transcriptions",
	},
] as const;

t.setTimeout(1_800_000); // of processor time it takes most of a minute

const watched = await startWatched(t, undefined, await tinyModel());
const trials = await FieldTrials.open(watched);
const http = new HttpFields(watched.appliance.url, watched.appliance.token);

t.test("no text in any field holds the event loop", async (t) => {
	const fields = withoutSameCode(trials.fields);
	const all = fields.flatMap((field) => {
		const strings = field.isChoice ? worstForChoices : worstStrings;
		return field.shapes.flatMap((shape) =>
			strings.map((string): FieldTrial => ({ field, string, shape, bytes })),
		);
	});
	const faults: string[] = [];
	for (let from = 0; from < all.length; from += atOnce)
		faults.push(...(await trials.tryAll(all.slice(from, from + atOnce))));
	t.same(faults, []);
	t.comment(`${fields.length} fields, ${all.length} trials`);
	const fleet = brokerMissing ? [] : ["MQTT"];
	for (const kind of ["(JSON)", "(form)", "GET /v1/", "WebSocket", ...fleet])
		t.ok(
			fields.some(({ name }) => name.includes(kind)),
			kind,
		);
});

t.test("no body of eight megabytes holds the event loop", async (t) => {
	const id = await http.makeList("correction-words", ["a,b"]);
	await areAnswered(t, giantBodies(id));
});

t.test("no form with a mebibyte of texts does either", (t) =>
	areAnswered(t, giantForms),
);

async function areAnswered(
	t: Pick<Test, "resolveMatch">,
	bodies: readonly GiantBody[],
): Promise<void> {
	for (const { name, method = "POST", path, body, status } of bodies) {
		const sent = body();
		const answered = watched.main.bounded(name, () =>
			http.ask(method, path, sent),
		);
		await t.resolveMatch(answered, status, name);
	}
}

function withoutSameCode(all: readonly Field[]): readonly Field[] {
	const names = new Set(all.map(({ name }) => name));
	return all.filter(({ name }) => {
		const found = sameCode.find(({ fields }) => fields.test(name));
		return !found || !names.has(name.replace(found.own, found.other));
	});
}
