/**
 * Whether the machine's clock is synchronised. Never rejects.
 * @param anew the clock was set: ignore the cached answer. @returns undefined if unknown
 */
export type TimeSync = (anew?: boolean) => Promise<boolean | undefined>;
