import t from "tap";
import { networkOf } from "../../runtime/api/network-of.js";
import { RateLimiter } from "../../runtime/api/rate-limit.js";
import { CodedError } from "../../runtime/errors.js";

/** Number of requests allowed to a caller, one after the other. */
function taken(limiter: RateLimiter, caller: string): number {
	for (let count = 0; ; count++)
		try {
			limiter.take(caller);
		} catch (thrown) {
			if (thrown instanceof CodedError && thrown.status === "100005")
				return count;
			throw thrown;
		}
}

t.test("a bucket fills again with time, up to its burst", async (t) => {
	let now = 0;
	const limiter = new RateLimiter({ perSecond: 2, burst: 2 }, () => now);
	t.equal(taken(limiter, "a"), 2);
	now = 0.5;
	t.equal(taken(limiter, "a"), 1);
	now = 100;
	t.equal(taken(limiter, "a"), 2);
});

t.test(
	"a request costs the same with a hundred thousand callers",
	async (t) => {
		const limiter = new RateLimiter({ perSecond: 100, burst: 200 }, () => 0);
		const { prototype } = Map;
		const iterate = prototype[Symbol.iterator];
		let iterations = 0;
		prototype[Symbol.iterator] = function (this: Map<unknown, unknown>) {
			iterations++;
			return iterate.call(this);
		};
		t.teardown(() => {
			prototype[Symbol.iterator] = iterate;
		});
		let sizeMax = 0;
		for (let caller = 0; caller < 100_000; caller++) {
			limiter.take(`address ${caller}`);
			sizeMax = Math.max(sizeMax, limiter.size);
		}
		t.equal(iterations, 0, "nothing is searched through");
		t.ok(sizeMax <= 10_000, `${sizeMax} remembered`);
	},
);

t.test(
	"a new caller among too many is neither unlimited nor locked out",
	async (t) => {
		let now = 0;
		const limit = { perSecond: 1, burst: 20 };
		const limiter = new RateLimiter(limit, () => now, 100);
		for (let other = 0; other < 99; other++)
			t.equal(taken(limiter, `other ${other}`), 20, "there is room");
		limiter.take("last");
		t.equal(
			taken(limiter, "newcomer"),
			1,
			"some were forgotten at this moment",
		);
		now = 5;
		t.equal(taken(limiter, "newcomer"), 5, "it fills like all");
		t.equal(taken(limiter, "second"), 5, "as if it had been here all along");
		now = 1000;
		t.equal(taken(limiter, "third"), 20, "no request for a long time");
	},
);

t.test("a caller gains nothing by being forgotten", async (t) => {
	let now = 0;
	const limiter = new RateLimiter({ perSecond: 1, burst: 50 }, () => now, 1000);
	t.equal(taken(limiter, "greedy"), 50);
	let got = 0;
	for (let round = 1; round <= 10; round++) {
		now = round;
		for (let other = 0; other < 1000; other++)
			limiter.take(`${round} ${other}`);
		got += taken(limiter, "greedy");
	}
	t.equal(got, 10, "its rate, and not another burst");
});

t.test("an address is limited by its network", async (t) => {
	const same: readonly (readonly string[])[] = [
		[
			"192.0.2.7",
			"::ffff:192.0.2.7",
			"0000:0000:0000:0000:0000:ffff:c000:0207",
		],
		[
			"2001:db8:1:2::1",
			"2001:0db8:0001:0002:ffff:ffff:ffff:ffff",
			"2001:db8:1:2:a:b:192.0.2.7",
		],
		["2001:db8:1:3::", "2001:db8:1:3:0:0:0:9"],
		["fe80::1%eth0", "fe80::2"],
		["::1", "0:0:0:0:0:0:0:1"],
		["192.0.2.8"],
	];
	for (const addresses of same)
		t.equal(new Set(addresses.map(networkOf)).size, 1, `${addresses}`);
	const networks = same.map((it) => networkOf(it[0] as string));
	t.equal(new Set(networks).size, same.length, `${networks}`);
});
