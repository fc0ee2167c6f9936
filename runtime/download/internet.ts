/**
 * Requests that a person at the command line makes to the internet: for models, catalogues and releases. They go through the proxy that the environment names, as
 * curl's do. What the appliance itself requests for others does not: runtime/outbound judges the addresses that are reached, which a proxy would hide.
 */
import { getProxyForUrl } from "proxy-from-env";
import { ProxyAgent, fetch as undiciFetch } from "undici";

/** The proxy will not do it, now or later. */
export class ProxyRefusal extends Error {
	override readonly name = "ProxyRefusal";
}

const agents = new Map<string, ProxyAgent>();

/**
 * As `fetch`. `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are followed, in capitals or not.
 * @throws ProxyRefusal, and as `fetch`
 */
export async function fetchFromInternet(
	url: string,
	init: Pick<RequestInit, "headers" | "signal">,
): Promise<Response> {
	const proxy = proxyFor(url);
	if (proxy === "") return fetch(url, init);
	const dispatcher = agentOf(proxy);
	const { signal = null, headers = {} } = init;
	try {
		const response = await undiciFetch(url, {
			signal,
			headers: { ...(headers as Record<string, string>) },
			dispatcher,
		});
		return response as unknown as Response; // the same class, in the package's types
	} catch (error) {
		if (signal?.aborted) throw error;
		throw throughProxy(rootOf(error as Error), proxy);
	}
}

/** "fetch failed" and "Request was cancelled" say nothing. */
function rootOf(error: Error): Error {
	return error.cause instanceof Error ? rootOf(error.cause) : error;
}

function throughProxy({ message }: Error, proxy: string): Error {
	const name = `the proxy ${withoutPassword(proxy)}`;
	const status = /\((\d{3})\)/.exec(message)?.[1]; // of "Proxy response (403) !== 200 ...", and of "... (407)"
	if (status === "407")
		return new ProxyRefusal(
			`${name} returned 407: it wants a name and a password, as in http://NAME:PASSWORD@HOST:PORT`,
		);
	if (status?.startsWith("4"))
		return new ProxyRefusal(`${name} returned ${status}`);
	return new Error(`${message} (through ${name})`);
}

/** @returns "" where none is to be used. */
function proxyFor(url: string): string {
	const proxy = getProxyForUrl(url);
	// one without a scheme is returned with that of the requested URL; curl means http
	return Object.values(process.env).includes(proxy)
		? proxy
		: proxy.replace(/^https:/, "http:");
}

/** One for each proxy, with the connections to it. */
function agentOf(proxy: string): ProxyAgent {
	let agent = agents.get(proxy);
	if (!agent) {
		if (!/^https?:\/\//i.test(proxy) || !URL.canParse(proxy))
			throw new ProxyRefusal(
				`${withoutPassword(proxy)} can't be used as a proxy: only http:// and https:// are supported`,
			);
		// what is requested without encryption is passed on by the proxy, most of which open tunnels to port 443 only
		agent = new ProxyAgent({ uri: proxy, proxyTunnel: false });
		agents.set(proxy, agent);
	}
	return agent;
}

function withoutPassword(proxy: string): string {
	return proxy.replace(/\/\/[^/]*@/, "//");
}
