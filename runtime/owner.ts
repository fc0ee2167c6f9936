/**
 * Whose something is: who asked, as a kind and a name. A token and an application of one name are two owners, and what came over MQTT or without a token belongs
 * to no token, whatever that one is called.
 *
 * The name is the identity: a token that is made anew under the name of an older one goes on with what that one left, and so does an application. Names are
 * given by the operator alone, who knows which device is which.
 */
export type OwnerKind = "token" | "app" | "mqtt" | "anyone";

/** Compared as it is, and good as a key: `token:kiosk-3`. */
export type Owner = `${OwnerKind}:${string}`;

/** @param name any text; it may hold colons. */
export function ownerOf(kind: OwnerKind, name: string): Owner {
	return `${kind}:${name}`;
}

/** Of what was asked for over the broker of the fleet. */
export const mqttOwner: Owner = ownerOf("mqtt", "fleet");

/** Of what was asked for where no token is needed (`auth.required = false`). */
export const anonymousOwner: Owner = ownerOf("anyone", "anonymous");

export interface OwnerParts {
	readonly kind: OwnerKind;
	readonly name: string;
}

export function ownerParts(owner: Owner): OwnerParts {
	const colon = owner.indexOf(":");
	return {
		kind: owner.slice(0, colon) as OwnerKind,
		name: owner.slice(colon + 1),
	};
}
