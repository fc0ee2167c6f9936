/** English abbreviations whose point stands before a name and ends no sentence: "Dr. Smith", "St. James". */
export const titles: readonly string[] = [
	...["Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Jr", "Sr", "Rev", "Hon"],
	...["Gov", "Sen", "Rep", "Gen", "Maj", "Adm", "Cmdr", "Capt", "Lt", "Col"],
	...["Sgt", "Mt", "Ft"],
];
