/**
 * Whether the machine's clock is kept right by another one. Never rejects.
 * @param anew the clock was set: what was answered before does not count. @returns undefined where nobody can say
 */
export type TimeSync = (anew?: boolean) => Promise<boolean | undefined>;
