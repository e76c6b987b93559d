type Form<Values> = { values: Values; isDirty(field: string): boolean };

/**
 * The fields that the user has edited. The others are not sent: they may be older than what someone else has saved since
 * the form was filled.
 */
export function editedValues<Values extends object>({ values, isDirty }: Form<Values>): Partial<Values> {
  const edited = Object.entries(values).filter(([field]) => isDirty(field));
  return Object.fromEntries(edited) as Partial<Values>;
}
