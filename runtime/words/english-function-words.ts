/** English words that say nothing of what a text is about: articles to adverbs, and the verbs and nouns that stand in any conversation. */
export const functionWords: ReadonlySet<string> = new Set(
	`a an the this that these those such what which who whom whose where when why how there here
	i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours ourselves they them their theirs themselves
	one ones someone somebody something anyone anybody anything everyone everybody everything nobody nothing none other others another each every either neither both all any some many much few more most less least several
	am is are was were be been being do does did doing done have has had having will would shall should can could may might must ought
	and or but nor so yet for because although though if unless until while as than then since whether
	of in on at by to from with without about into onto over under up down out off through during before after between among against within along across behind beyond near toward towards upon per via
	not no yes yeah yep nope ok okay oh ah um uh hmm well please thanks thank hello hi bye sorry
	very too also just only even still already again ever never always often sometimes usually maybe perhaps probably actually really quite rather pretty almost enough however therefore thus instead otherwise anyway basically exactly absolutely definitely certainly simply finally first second last next now today tomorrow yesterday soon later ago once twice away back together
	go goes going went gone come comes coming came get gets getting got gotten give gives giving gave given take takes taking took taken make makes making made put puts let lets say says saying said tell tells telling told talk talks talking talked speak ask asks asking asked know knows knowing knew known think thinks thinking thought mean means meaning meant see sees seeing saw seen look looks looking looked watch hear heard feel feels feeling felt want wants wanted need needs needed like likes liked try tries trying tried keep keeps keeping kept start starts started stop stops stopped begin begins began use uses used using work works working find finds finding found call calls called show shows seem seems seemed help helps happen happens happened turn turns turned leave leaves left bring brings brought become becomes became
	thing things stuff lot lots bit kind kinds sort sorts way ways time times day days week month year years people person man men woman women guy guys place part parts side end case point fact example number question
	good better best bad worse worst great nice big small little large long short high low old new young same different right wrong true sure own able whole full hard easy important
	two three four five six seven eight nine ten hundred thousand million half
	don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't i'm i've i'll i'd you're you've you'll you'd he's she's it's that's there's here's what's who's we're we've we'll we'd they're they've they'll let's
	mr mrs ms dr`.split(/\s+/),
);
