import t from "tap";
import { FairShare } from "../../runtime/limits/fair-share.js";

t.test("who holds fewest is next, and nobody takes all", async (t) => {
	const shares = new FairShare(() => 8);
	const [a, b, c] = ["a", "b", "c"];
	const taken = (owner: string) => {
		let count = 0;
		while (shares.mayTake(owner)) {
			shares.take(owner);
			count++;
		}
		return count;
	};
	t.equal(taken(a), 6, "the last quarter is left");
	t.equal(shares.next([a, b, c]), b);
	shares.take(b);
	t.equal(shares.next([a, b, c]), c);
	t.equal(taken(c), 1);
	t.equal(shares.free, 0);
	t.equal(shares.next(["d"]), undefined);

	for (const [places, alone] of [
		[1, 1],
		[2, 1],
		[3, 2],
		[4, 3],
		[5, 3],
		[100, 75],
	] as const) {
		const few = new FairShare(() => places);
		let count = 0;
		for (; few.mayTake(a); count++) few.take(a);
		t.equal(count, alone, `${alone} of ${places}`);
		t.equal(few.mayTake(b), places > 1, "another one gets one");
	}
	const unbounded = new FairShare(() => 3, 1);
	const back = [a, a, a].map((it) => unbounded.take(it));
	t.equal(unbounded.mayTake(b), false);
	back[0]?.();
	back[0]?.();
	t.equal(unbounded.free, 1, "given back once");
});
