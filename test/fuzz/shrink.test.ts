import t from "tap";
import type { Property } from "./property.js";
import { below, pick, type Random, randomOf, several } from "./random.js";
import { shrink } from "./shrink.js";
import { trySeed, tryTape } from "./trial.js";

/** More than any machine needs. */
const msMax = 600_000;

async function smallest<Case>(
	draw: (random: Random) => Case,
	isWrong: (one: Case) => boolean,
): Promise<unknown> {
	const property: Property<Case> = {
		name: "made",
		promise: "nothing is wrong",
		draw,
		check(one) {
			if (isWrong(one)) throw new Error("wrong");
		},
	};
	for (let seed = 1; ; seed++) {
		const { failure } = await trySeed(property, seed);
		if (failure) return (await shrink(property, failure, msMax)).one;
	}
}

const letters = (random: Random) =>
	several(random, 80, () => pick(random, [..."abcdefgh"])).join("");

t.test("a text is what fails of it", async (t) => {
	t.equal(await smallest(letters, (it) => /d.*a.*c/.test(it)), "dac");
	t.equal(await smallest(letters, (it) => it.length > 30), "a".repeat(31));
});

t.test("numbers are the lowest that fail, lists the shortest", async (t) => {
	const number = (random: Random) => below(random, 1000);
	t.equal(await smallest(number, (it) => it >= 417), 417);
	const list = (random: Random) => several(random, 50, () => number(random));
	t.same(await smallest(list, (all) => all.some((it) => it > 600)), [601]);
	const bytes = (random: Random) =>
		Uint8Array.from({ length: 2000 }, () => below(random, 256));
	const least = (await smallest(bytes, (it) =>
		it.some((byte, i) => byte > 200 && (it[i + 1] ?? 0) > 250),
	)) as Uint8Array;
	t.same(
		[...least].filter((it) => it > 0),
		[201, 251],
		"all others are 0",
	);
});

t.test("what is drawn until luck ends it comes to an end", async (t) => {
	const luck = (random: Random) => {
		let count = 0;
		while (random() < 0.9) count++;
		return count;
	};
	t.ok(Number(await smallest(luck, (it) => it > 20)) > 20);
});

t.test("a failure in drawing is one", async (t) => {
	const property: Property = {
		name: "made",
		promise: "it can be drawn",
		draw(random) {
			if (random() > 0.5) throw new Error("no such draw");
		},
		check() {},
	};
	const { failure } = await tryTape(property, [0.9]);
	t.match(failure, { tape: [0.9], error: { message: "no such draw" } });
	t.match(await tryTape(property, []), { failure: undefined });
});

t.test(
	"a seed's numbers are the same for ever, and no two seeds alike",
	async (t) => {
		const first = (seed: number) => {
			const random = randomOf(seed);
			return [random(), random(), random()].map((it) => Math.floor(it * 1000));
		};
		t.same(first(1), [627, 2, 527]);
		const firsts = Array.from(
			{ length: 1000 },
			(_, seed) => first(seed)[0] ?? 0,
		);
		const mean = firsts.reduce((sum, it) => sum + it, 0) / firsts.length;
		t.ok(mean > 470 && mean < 530, `${mean}`);
	},
);
