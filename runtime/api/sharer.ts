/** Who shares with whom where there is not enough for all: recognition slots, places in their queue, uploads (fair-share.ts). */
import { anonymousOwner, type Owner, ownerOf } from "../owner.js";
import type { ApiRequest, Principal } from "./exchange.js";
import { networkOf } from "./network-of.js";

/** @returns the caller's owner: all tokens of an application share. Where nobody needs a token, the network that a request comes from. */
export function sharerOf(
	{ owner }: Pick<Principal, "owner">,
	{ remoteAddress }: Pick<ApiRequest, "remoteAddress">,
): Owner {
	if (owner !== anonymousOwner) return owner;
	return ownerOf("anyone", networkOf(remoteAddress));
}
