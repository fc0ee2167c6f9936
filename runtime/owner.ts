/**
 * The owner of a resource, as a kind and a name. A token and an application with the same name are two owners, and what was created over MQTT or without a
 * token belongs to no token, whatever its name.
 *
 * The name is the identity: a new token with the name of an older one continues with its resources, and so does an application. Names are given by the operator
 * alone, who knows which device is which.
 */
export type OwnerKind = "token" | "app" | "mqtt" | "ingress" | "anyone";

/** Compared as a string, and usable as a key: `token:kiosk-3`. */
export type Owner = `${OwnerKind}:${string}`;

/** @param name any text; may contain colons. */
export function ownerOf(kind: OwnerKind, name: string): Owner {
	return `${kind}:${name}`;
}

/** Owner of what was requested over the fleet's broker. */
export const mqttOwner: Owner = ownerOf("mqtt", "fleet");

/** Owner of what was requested where no token is needed (`auth.required = false`). */
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
