/** A text, or one text per plural category of the language, selected by the placeholder `count`. */
export type Message = string | ({ other: string } & { [Category in Intl.LDMLPluralRule]?: string });
export type Translation<Keys extends string> = { readonly [Key in Keys]: Message };
