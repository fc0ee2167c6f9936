import t from "tap";
import { ownerOf } from "../../runtime/owner.js";
import { UploadPlaces } from "../../runtime/tasks/intake/upload-places.js";

const kibibyte = 1024;
const owners = Array.from({ length: 20 }, (_, i) => ownerOf("token", `${i}`));
const owner = (index: number) => owners[index] as (typeof owners)[number];

/** Places, and a clock that only a test advances. */
function placesOf(max: number) {
	const clock = { ms: 0 };
	return { clock, places: new UploadPlaces(max, () => clock.ms) };
}

t.test("slow files do not lock others out", async (t) => {
	const { clock, places } = placesOf(4);
	const slow = [0, 1, 2, 3].map((index) => places.take(owner(index)));
	t.throws(() => places.take(owner(4)), { message: /4 files are being/ });
	const quick = 1;
	for (let second = 0; second < 11; second++) {
		clock.ms += 1000;
		for (const [index, place] of slow.entries())
			place.add((index === quick ? 100 : 1) * kibibyte);
	}
	const others = [4, 5, 6].map((index) => places.take(owner(index)));
	t.throws(() => places.take(owner(7)), { message: /4 files are being/ });
	for (const place of others) place.leave();

	slow[quick]?.add(0); // it comes to a standstill later
	clock.ms += 11_000;
	slow[quick]?.add(1);
	const all = [4, 5, 6, 7].map((index) => places.take(owner(index)));
	for (const place of [...slow, ...all]) {
		place.leave();
		place.leave();
	}
	t.doesNotThrow(() => [4, 5, 6, 7].map((it) => places.take(owner(it))));
});

t.test("places for slow files are shared, too, and limited", async (t) => {
	const { clock, places } = placesOf(4);
	const slowAfter = (index: number) => {
		const place = places.take(owner(index));
		clock.ms += 10_000;
		place.add(1);
	};
	// 24 slow ones are this caller's share, and 3 of the others
	for (let file = 0; file < 27; file++) slowAfter(0);
	t.throws(() => places.take(owner(0)), { message: /too many of this caller/ });
	for (let file = 0; file < 8; file++) slowAfter(1);
	slowAfter(2); // this one stays where it is
	t.throws(() => places.take(owner(3)), { message: /4 files are being/ });
});
