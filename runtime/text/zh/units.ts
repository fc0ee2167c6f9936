/**
 * Chinese units and counters, by how numbers before them are written: before units of measurement every number is in digits, before
 * counters all but 一 (which is an article more often than a number), before ordinal words only some.
 */

/** Measured: 1公里, 1小时, 1块钱. */
const measures = new Set([
	..."公里 千米 米 厘米 毫米 微米 纳米 英里 英尺 英寸 海里 光年 公分".split(
		" ",
	),
	..."两 公斤 千克 克 毫克 微克 吨 斤 磅 盎司 升 毫升 加仑".split(" "),
	..."平方米 平方公里 平方千米 平方厘米 平方英尺 平米 立方米 立方厘米 亩 公顷".split(
		" ",
	),
	..."小时 分钟 秒 秒钟 毫秒 微秒 个小时 个钟头 个多小时 个半小时 个半钟头 个半月 个月 个多月 个星期 个礼拜 个工作日".split(
		" ",
	),
	..."元 元钱 块钱 毛钱 分钱 美元 欧元 英镑 日元 港元 港币 韩元 卢布 人民币 美金".split(
		" ",
	),
	..."摄氏度 华氏度 伏 伏特 瓦 千瓦 兆瓦 千瓦时 毫安 赫兹 千赫 兆赫 兆 字节 比特 像素 帧 分贝 卡路里 大卡 千卡 焦耳 牛顿 帕 马力".split(
		" ",
	),
	..."岁 周岁 月份 号楼 号线 号门 楼 单元 路公交 路车 路电车 个百分点 度电".split(
		" ",
	),
]);

/** Counted: 3个, 5天, but 一个, 一天. */
const counted = new Set([
	..."个 人 名 位 家 天 年 周 次 杯 份 瓶 张 台 辆 本 件 套 间 条 支 只 双 块 片 盒 箱 袋 包 碗 盘 桌 层 页 章 节 集 部 届 期 批 组 队 场 局 轮 项".split(
		" ",
	),
	..."笔 封 篇 首 幅 座 栋 幢 艘 架 趟 遍 步 分 倍 折 段 排 款 种 颗 粒 根 顿 棵 匹 把 枚 滴 串 单元 室 厅 卫 口人 字节 门课 门学科 人份 人次 人间".split(
		" ",
	),
	..."晚 夜 日 匹 单 票 罐 桶 壶 勺 束 朵 滴 秒 堂 卷 册 格 档 圈 站 公升 股 户 所 例 宗 房 起案件 起案子 起事故 起交通事故 起车祸 起火灾 颗星 级地震 级风 级大风".split(
		" ",
	),
]);
/** 两 means "a couple of" before these. */
const couples = new Set([
	"人",
	"位",
	"家",
	"处",
	"起",
	"口人",
	"夜",
	"所",
	"房",
]);
/** With these 2 is read as 二, so 二 before them is in digits, */
const numbered = new Set(
	"两 号 楼 层 月 月份 日 单元 栋 座 排 室 号线 号楼 号门 路公交 路车 路电车 米 公里 厘米 毫米".split(
		" ",
	),
);
/** and 2 is read as 二 rather than 两. */
const inOrder = new Set(
	"号 楼 层 月份 日 单元 栋 座 排 室 号线 号楼 号门 路公交 路车 路电车 季 期 班 组".split(
		" ",
	),
);
/** The unit is part of a longer word: 三年级, 六部门, 五行. */
const continuations: Readonly<Record<string, RegExp>> = {
	年: /^(?:级|.班)/,
	部: /^[门曲分队]/,
	人: /^[称民]/,
	家: /^[村人庭乡长]/,
	分: /^[之天法明析别钟]/,
	天: /^[生然真]/,
	块: /^[头]/,
	周: /^[围边岁]/,
	次: /^[方元]/,
	条: /^[件]/,
	台: /^[湾州]/,
	层: /^[次]/,
	期: /^[待望间]/,
	章: /^[鱼]/,
	节: /^[奏]/,
	项: /^[目]/,
	元: /^[次论化旦素]/,
	步: /^[骤伐行]/,
	场: /^[地所]/,
	组: /^[织]/,
	单: /^[位元]/,
	日: /^[本]/,
	所: /^[以有]/,
	处: /^[理于境]/,
	集: /^[团体合中]/,
	房: /^[子间东]/,
	格: /^[式局]/,
	票: /^[据]/,
	室: /^[内外]/,
	例: /^[如外]/,
	升: /^[级起]/,
	克: /^[服]/,
	米: /^[饭]/,
	首: /^[先都]/,
	篇: /^[章]/,
	圈: /^[子]/,
	站: /^[立]/,
	户: /^[外]/,
	股: /^[票]/,
};
const unitCharactersMax = 5;

export type Counting = "measured" | "counted" | "none";

/** How the numeral that ends here is written. */
export function countingAt(text: string, at: number, digit: string): Counting {
	for (let length = unitCharactersMax; length > 0; length--) {
		const unit = text.slice(at, at + length);
		if (unit.length < length) continue;
		const isMeasure = measures.has(unit);
		if (!isMeasure && !counted.has(unit)) continue;
		if (continuations[unit]?.test(text.slice(at + length, at + length + 2)))
			return "none";
		if (digit === "二" && !numbered.has(unit)) return "none";
		if (digit === "两" && couples.has(unit)) return "none";
		return isMeasure ? "measured" : "counted";
	}
	return "none";
}

/** Units of prices: 五千一个月, 三百一晚. The digit of 一百一 (110) takes no unit: that is said as 一百一十个. */
const perUnit =
	/^(?:[个天次张份件位晚套台瓶间盒箱桌杯碗顿辆]|年(?![薪级])|人(?!民)|节课|小时)/;
/** Areas and weights, too: 一百一平 may be 110. */
const perMeasure = /^(?:斤|平(?![均时常]))/;
/** 一起, 一共, 一直; but 三百一起步, 一千一直接 are amounts. */
const wordAfterOne =
	/^(?:起(?![步价售订飞])(?=\p{Script=Han})|直(?!接)|定(?![金价做制额])|[共样般])/u;

/** Whether the 一 before `at` begins what follows an amount, and is not its last digit. @param isHundred the amount ends in 百. */
export function isOneOfNext(
	text: string,
	at: number,
	isHundred: boolean,
): boolean {
	const after = text.slice(at, at + 2);
	if (perMeasure.test(after)) return !isHundred;
	return perUnit.test(after) || wordAfterOne.test(after);
}

/** What is sold by measure: 七块八一升, 三千五一吨. Without the digit before 一, 两万一公里 is a distance. */
const perQuantity =
	/^(?:升(?![级起])|公[里斤]|千克|吨|克(?!服)|米(?!饭)|度(?!假))/;

/** Whether the 一 before `at` begins the unit of a price. */
export function isOnePriced(text: string, at: number): boolean {
	return (
		isOneOfNext(text, at, false) || perQuantity.test(text.slice(at, at + 2))
	);
}

/** 一起, 一定, 一到: words that may follow an hour; not 三点一到三点五. */
const wordAfterHour =
	/^一(?:起(?!步)|[定直共般样同旦边]|会儿|块[走去来吃玩儿]|到(?![零〇一二两三四五六七八九十百\d])|过(?!\p{Script=Latin})|家[人三四五]|个(?:人(?!民)|[是在叫去])|位)/u;
/** 二楼, 三号会议室: places where one meets at an hour; nothing has 9.2 of them. */
const placeAfterHour = /^[一二三四五六七八九](?:楼|层(?!次)|号)/;

/** Whether a digit right after 点 begins what follows the hour, and is no decimal: 三点一起去, 九点二楼开会. */
export function isAfterHour(text: string, at: number): boolean {
	const after = text.slice(at, at + 4);
	return wordAfterHour.test(after) || placeAfterHour.test(after);
}

/** The unit that begins here follows an ordinal: 二楼, not 两楼. */
export function isNumbered(text: string, at: number): boolean {
	for (let length = unitCharactersMax; length > 0; length--) {
		const unit = text.slice(at, at + length);
		if (measures.has(unit) || counted.has(unit)) return inOrder.has(unit);
	}
	return true;
}

/** After 第: things identified by number or in sequence, 第3页, 第2届; 第三次 and 第一步 stay in characters. */
const ordered =
	/^(?:[页题座行款届章轮卷号]|季(?![度节])|排(?!名)|列(?!车)|条(?!件)|层(?!次)|期(?![待间])|集(?![团体合])|版(?![本权])|名(?!著)|节(?!日))/;

/** Whether 第 and a number below 10 are written in digits. */
export function isOrdinalWritten(text: string, at: number): boolean {
	return ordered.test(text.slice(at, at + 2));
}

/** Latin units: 8GB, 5G, 4K. */
export const latinUnit =
	/^ ?(?:[KMGTP]B|[GKDTPVWAM]|kg|km|cm|mm|ml|mg|m|g|Hz|[kMG]Hz|kWh|km\/h|fps|GB|S店)(?![A-Za-z])/;
