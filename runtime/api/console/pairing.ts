/** `POST /v1/console/pair`: a code that `earshot pair` shows becomes a token. */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import type { PairingRepository } from "../../store/pairings.js";
import { scopes } from "../../store/token-row.js";
import type { TokenRepository } from "../../store/tokens.js";
import type { Arrived } from "../auth.js";
import { success } from "../envelope.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import { readJson, smallBodyBytesMax } from "../json-body.js";
import type { Metrics, Series } from "../metrics/metrics.js";
import { networkOf } from "../network-of.js";
import { RateLimiter } from "../rate-limit.js";
import type { Route } from "../router.js";
import type { SessionClock } from "./sessions.js";

/** Of one network: a code has 39 bits and lives for ten minutes. */
const triesPerMinute = 5;

const body = Type.Object({
	code: Type.String({
		minLength: 1,
		maxLength: 64,
		description: "As earshot pair shows it; case and hyphens do not matter.",
	}),
});

export interface PairingParts {
	readonly pairings: Pick<PairingRepository, "redeem">;
	readonly tokens: Pick<TokenRepository, "create">;
	readonly tokenTtlSeconds: () => number;
	readonly clock: SessionClock;
	readonly metrics: Pick<Metrics, "watch">;
	/** The answer holds a token. @throws CodedError 110003 where others could read it */
	requirePrivacy(request: Arrived): void;
}

type Counts = Record<"paired" | "wrong" | "slowed", number>;

const series: readonly Series<Counts>[] = [
	{
		kind: "counter",
		name: "console_pairings_total",
		help: "Pairing codes that were typed into the console, by result.",
		labels: ["result"],
		*values(counts) {
			for (const [result, count] of Object.entries(counts))
				yield [{ result }, count];
		},
	},
];

export function pairRoute(parts: PairingParts): Route {
	const counts: Counts = { paired: 0, wrong: 0, slowed: 0 };
	parts.metrics.watch(series, () => [counts]);
	const limiter = new RateLimiter({
		perSecond: triesPerMinute / 60,
		burst: triesPerMinute,
	});
	return {
		method: "POST",
		path: "/v1/console/pair",
		access: "open",
		description: {
			summary: "Exchange the code that earshot pair shows for a token",
			body: { type: "application/json", schema: body },
			answer: Type.Object({
				token: Type.String(),
				scopes: Type.Array(Type.String(), { description: scopes.join(", ") }),
				expires: Type.Integer({ description: "Unix time, seconds" }),
			}),
			errors: [
				...(["100005", "110002", "110003"] as const),
				...(["200001", "200002", "200003", "200004"] as const),
			],
		},
		handle: (context) => pair(context, parts, limiter, counts),
	};
}

async function pair(
	{ request, log }: RequestContext,
	parts: PairingParts,
	limiter: RateLimiter,
	counts: Counts,
): Promise<ApiResponse> {
	const { clock, pairings, tokens, tokenTtlSeconds } = parts;
	parts.requirePrivacy(request);
	const given = await readJson(request, smallBodyBytesMax);
	const { code } = parseJson(body, given).values;
	slow(limiter, networkOf(request.remoteAddress), counts);
	const row = await pairings.redeem(code, (made) => clock.expirySeconds(made));
	if (!row) {
		counts.wrong++;
		log.warn({ from: request.remoteAddress }, "pairing code refused");
		throw new CodedError(
			"110002",
			"this code is not valid: each is good once, for ten minutes; type earshot pair on the device for another",
		);
	}
	const issued = await tokens.create({
		name: row.name,
		scopes: row.scopes,
		nowSeconds: clock.expirySeconds(),
		ttlSeconds: tokenTtlSeconds(),
		operatingSeconds: clock.operatingSeconds(),
	});
	counts.paired++;
	log.info({ token: issued.row.id, name: row.name }, "console paired");
	return success({
		token: issued.token,
		scopes: row.scopes,
		expires: Math.floor(issued.row.expiresSeconds),
	});
}

function slow(limiter: RateLimiter, network: string, counts: Counts): void {
	try {
		limiter.take(network);
	} catch (thrown) {
		if (!(thrown instanceof CodedError)) throw thrown;
		counts.slowed++;
		const { retryAfterSeconds = 60 } = thrown;
		throw new CodedError(
			"100005",
			`${triesPerMinute} codes a minute may be tried from this address; try again in ${Math.ceil(retryAfterSeconds)} seconds`,
			{ retryAfterSeconds },
		);
	}
}
