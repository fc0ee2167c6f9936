/**
 * Decides which upgrades are granted, and how long the messages of a socket may be before its session has begun. The library buffers an incomplete message
 * without reporting it: a thousand idle sockets could each hold one of the longest. Its limit applies to all sockets of a path's pattern, so each path has a
 * second pattern: a few sockets at a time may send long messages at once, all others short ones. Clients start their session as soon as they are connected, so
 * these places are soon free again. Where a path has a limit of its own, it is that of all its sockets, and there are no places.
 */
import type {
	HttpRequest,
	HttpResponse,
	us_socket_context_t,
} from "uWebSockets.js";
import { asCodedError, CodedError } from "../../errors.js";
import { CallerShares } from "../caller-shares.js";
import type {
	Admitted,
	SocketEndpoint,
	UpgradeRequest,
} from "../live-socket.js";
import { headerBytesOf } from "./framing.js";
import { type AddressedBy, addressOf, copyHeaders } from "./http-exchange.js";
import type { Flow, NativeSocket } from "./native-socket.js";

const longPlaces = { places: 32, callerShareMax: 0.5, networkShareMax: 0.5 };

/** User data of each WebSocket. */
export interface UserData {
	readonly admitted: Admitted;
	/** Gives back the place for long messages before a session has begun. */
	readonly leave: () => void;
	socket: NativeSocket | undefined;
}

export interface UpgradeLimits {
	readonly headerBytesMax: number;
	readonly addressedBy: AddressedBy;
}

export class UpgradeHandler {
	readonly #endpoint: SocketEndpoint;
	readonly #limits: UpgradeLimits;
	readonly #onPlain: (res: HttpResponse, req: HttpRequest) => void;
	readonly #long = new CallerShares("long messages", longPlaces);
	#flow: Flow | undefined;
	/** The request that is passed on to the second pattern, within one call of the library. */
	#admitted: Admitted | undefined;

	constructor(
		endpoint: SocketEndpoint,
		limits: UpgradeLimits,
		onPlain: (res: HttpResponse, req: HttpRequest) => void,
	) {
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#onPlain = onPlain;
	}

	/** Known after the first upgrade request. */
	get flow(): Flow {
		return this.#flow as Flow;
	}

	/** Grants the upgrade with the messages of its path, or long ones, answers it over HTTP, or passes it on. @param path its pattern. */
	judge(
		path: string,
		res: HttpResponse,
		req: HttpRequest,
		context: us_socket_context_t,
	): void {
		this.#flow ??= Object.getPrototypeOf(res) as Flow;
		const admitted = this.#verdict(res, req);
		if ("status" in admitted) {
			this.#onPlain(res, req);
			return;
		}
		if (this.#endpoint.messageBytesMax?.(path) !== undefined) {
			grant(res, req, context, admitted);
			return;
		}
		const { sharer, longMessages: long = this.#long } = admitted;
		const address = addressOf(res);
		if (long.mayTake(sharer, address)) {
			const leave = long.take(sharer, address);
			upgrade(res, req, context, { admitted, leave, socket: undefined });
			return;
		}
		this.#admitted = admitted;
		req.setYield(true); // the library continues with the second pattern
	}

	/** Grants the upgrade that was passed on; any other request here is for an unknown path. */
	grantShort(
		res: HttpResponse,
		req: HttpRequest,
		context: us_socket_context_t,
	): void {
		const admitted = this.#admitted;
		this.#admitted = undefined;
		if (admitted) grant(res, req, context, admitted);
		else this.#onPlain(res, req);
	}

	#verdict(res: HttpResponse, req: HttpRequest): Admitted | CodedError {
		const headers = copyHeaders(req);
		const { headerBytesMax, addressedBy } = this.#limits;
		if (headerBytesOf(headers) > headerBytesMax)
			return new CodedError("200004");
		const remoteAddress = addressOf(res);
		const header = (name: string) => headers.get(name)?.join(", ");
		const request: UpgradeRequest = {
			...addressedBy(remoteAddress, header),
			path: req.getUrl(),
			query: req.getQuery() ?? "",
			remoteAddress,
			header,
		};
		try {
			return this.#endpoint.admit(request);
		} catch (thrown) {
			return asCodedError(thrown);
		}
	}
}

/** Without a place for long messages. */
function grant(
	res: HttpResponse,
	req: HttpRequest,
	context: us_socket_context_t,
	admitted: Admitted,
): void {
	const leave = () => {};
	upgrade(res, req, context, { admitted, leave, socket: undefined });
}

function upgrade(
	res: HttpResponse,
	req: HttpRequest,
	context: us_socket_context_t,
	userData: UserData,
): void {
	res.upgrade(
		userData,
		req.getHeader("sec-websocket-key"),
		userData.admitted.subprotocol ?? "",
		"", // extensions: none, compressed audio gains nothing
		context,
	);
}
