/**
 * Where keywords are found (docs/interface.md section 4.4, docs/decisions.md section 11): of Mandarin in both variants; VIP finds them in the mixed languages
 * as well, and beyond the specification in Japanese and English.
 */
import type { FileOptions } from "../file-options.js";

export function keywordsServed({
	keywordsQuantity,
	variant,
	language,
}: Pick<FileOptions, "keywordsQuantity" | "variant" | "language">): boolean {
	if (keywordsQuantity === 0) return false;
	return variant === "vip" || language === "zh-cmn-Hans-CN";
}
