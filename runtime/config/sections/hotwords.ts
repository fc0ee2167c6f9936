import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const hotwordsSection = {
	categories: setting(
		Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
		[
			"固有名詞",
			"人名",
			"姓",
			"名",
			"地名",
			"駅名",
			"会社名",
			"部署名",
			"役職名",
			"商品名",
			"一般名詞",
			"記号",
			"括弧開き",
			"括弧閉じ",
			"元号",
		],
		"Categories a Japanese hotword may have.",
	),
};
