/**
 * A TCP listener of its own for a protocol that can't carry credentials: off unless the operator turns it on, it answers only the networks in `allow`, and
 * has its own metrics and log lines, told apart by the endpoint's name. The protocol behind it sees peers and knows no sockets.
 *
 * A connection may be idle for as long as its peer is there: what vanished without a word is found by TCP's own probes.
 */
import { createServer, type Server, type Socket } from "node:net";
import { FairShare } from "../../limits/fair-share.js";
import type { Logger } from "../../log/log.js";
import { Drain } from "../drain.js";
import { networkOf } from "../network-of.js";
import { ServerError } from "../server/server-error.js";
import { AllowedNetworks } from "./allowed-networks.js";
import { ListenerStats } from "./listener-stats.js";
import type { Peer, PeerHandler } from "./peer.js";

export interface ListenerSettings {
	/** In metrics and log lines: `wyoming`. */
	readonly endpoint: string;
	readonly host: string;
	/** 0: any free one. */
	readonly port: number;
	readonly allow: readonly string[];
}

/** More are closed at once. */
const connectionsMax = 512;
/** Of these, one address (of IPv6: one /64) may hold this share. */
const networkShareMax = 0.5;
/** A peer that reads less is gone, or does not mean to read. */
const unreadBytesMax = 256 * 1024;
/** A quiet connection is probed after this time. */
const probeAfterMs = 30_000;
/** A connection that is being closed has this long to read its last answer. */
const closeMsMax = 5000;

export class TcpListener {
	readonly stats: ListenerStats;
	readonly #settings: ListenerSettings;
	readonly #allowed: AllowedNetworks;
	readonly #accept: (peer: Peer) => PeerHandler;
	readonly #log: Logger;
	readonly #places = new FairShare<string>(
		() => connectionsMax,
		networkShareMax,
	);
	readonly #connections = new Map<Socket, PeerHandler>();
	#server: Server | undefined;
	readonly #drain = new Drain(() => this.#connections.size);

	/** @param accept is called for each connection of an allowed network. @throws Error that names an invalid entry of `allow` */
	constructor(
		settings: ListenerSettings,
		log: Logger,
		accept: (peer: Peer) => PeerHandler,
	) {
		this.#settings = settings;
		this.#allowed = new AllowedNetworks(settings.allow);
		this.#accept = accept;
		this.#log = log.child({ endpoint: settings.endpoint });
		this.stats = new ListenerStats(
			settings.endpoint,
			() => this.#connections.size,
		);
	}

	/** @returns the port. @throws ServerError with a message of one sentence. */
	start(): Promise<number> {
		const { host, port, endpoint } = this.#settings;
		const server = createServer(
			{
				allowHalfOpen: true, // a peer may end after its question and read the answer
				keepAlive: true,
				keepAliveInitialDelay: probeAfterMs,
				noDelay: true,
			},
			(socket) => this.#onConnection(socket),
		);
		this.#server = server;
		return new Promise((resolve, reject) => {
			server.once("error", (error) =>
				reject(
					new ServerError(
						`${endpoint} can't listen on ${host} port ${port}: ${error.message}`,
					),
				),
			);
			server.listen(port, host, () => {
				const address = server.address();
				const listening = typeof address === "object" && address?.port;
				this.#log.info({ host, port: listening || port }, "listening");
				resolve(listening || port);
			});
		});
	}

	/** Accepts nothing new; what was asked for may be answered within this time. */
	async stop(milliseconds: number): Promise<void> {
		const server = this.#server;
		if (!server) return;
		const closed = new Promise((resolve) => server.close(resolve));
		for (const handler of this.#connections.values()) handler.leave();
		await this.#drain.within(milliseconds);
		for (const socket of this.#connections.keys()) socket.destroy();
		await closed;
	}

	#onConnection(socket: Socket): void {
		socket.on("error", (error) =>
			this.#log.debug({ why: error.message }, "connection lost"),
		);
		const address = socket.remoteAddress;
		const network = address === undefined ? "" : networkOf(address);
		const why = this.#objection(address, network);
		if (address === undefined || why !== undefined) {
			if (why) this.#refuse(network, why);
			socket.destroy();
			return;
		}
		const leave = this.#places.take(network);
		this.stats.connected(address);
		const peer = this.#peerOf(socket, address);
		const handler = this.#accept(peer);
		this.#connections.set(socket, handler);
		socket.on("data", (bytes) => handler.onBytes(bytes));
		socket.on("end", () => handler.onEnd());
		socket.once("close", () => {
			leave();
			this.#connections.delete(socket);
			handler.onClosed();
			this.#drain.oneEnded();
		});
	}

	#objection(
		address: string | undefined,
		network: string,
	): "not allowed" | "full" | undefined {
		if (address === undefined) return undefined; // gone already
		if (!this.#allowed.has(address)) return "not allowed";
		return this.#places.mayTake(network) ? undefined : "full";
	}

	#refuse(network: string, why: "not allowed" | "full"): void {
		const isFirst = this.stats.refused(why, network);
		if (!isFirst) return; // a scanner must not fill the log
		if (why === "full")
			this.#log.warn({ network }, "too many connections: refused");
		else
			this.#log.warn(
				{ network },
				`refused a connection of a network that ${this.#settings.endpoint}.allow does not have`,
			);
	}

	#peerOf(socket: Socket, address: string): Peer {
		return {
			address,
			send: (bytes) => {
				if (!socket.writable) return;
				if (socket.writableCorked === 0) this.#writeTogether(socket);
				socket.write(bytes);
			},
			get unreadBytes() {
				return socket.writableLength;
			},
			hold: () => socket.pause(),
			release: () => socket.resume(),
			close: () => {
				socket.resume(); // or its end is never read
				socket.end();
				const timer = setTimeout(() => socket.destroy(), closeMsMax);
				socket.once("close", () => clearTimeout(timer));
			},
		};
	}

	/** What is sent in one turn of the event loop goes out at once: a peer may have asked a thousand questions. */
	#writeTogether(socket: Socket): void {
		socket.cork();
		process.nextTick(() => {
			socket.uncork();
			if (socket.writableLength > unreadBytesMax) socket.destroy();
		});
	}
}
