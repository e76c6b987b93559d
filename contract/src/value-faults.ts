import { fillTemplate, recognizeTemplate, type TemplateValues } from './templates.ts';

/**
 * The most frequent reasons why a value is rejected, as templates. Often, the name of the field stands before them. Like
 * the reasons in `file-faults.ts`, clients can recognize them.
 */
export const valueFaults = {
  required: 'is required',
  true_or_false: 'must be true or false',
  whole: 'must be a whole number',
  whole_range: 'must be a whole number from {min} to {max}, or null',
  number_range: 'must be a number from {min} to {max}',
  small_price: 'must be 0 or at least {min}: smaller prices would be truncated to 0',
  ambiguous_number: 'can be read in two ways: write 1234 or 1.234 instead of 1,234',
  minimum: 'must be at least {min}',
  maximum: 'must be at most {max}',
  text_length: 'must be a string of {min} to {max} characters',
  one_character: 'must have at least 1 character',
  min_characters: 'must have at least {min} characters',
  max_characters: 'must have at most {max} characters',
  digits: 'must be a string of {min} to {max} digits',
  outer_space: 'must not start or end with a space',
  bad_character: 'must not contain U+0000 or an unpaired surrogate',
  blank: 'must not be blank',
  email: 'must be an email address',
  one_of: 'must be one of {values}',
  past: 'must be in the future',
} as const;
export type ValueFault = keyof typeof valueFaults;

export function describeValue(code: ValueFault, values: TemplateValues = {}): string {
  return fillTemplate(valueFaults[code], values);
}

/** Also recognizes a text that starts with the name of the field. */
export function recognizeValue(
  text: string,
): { field?: string; code: ValueFault; values: Record<string, string> } | undefined {
  const found = recognizeTemplate(valueFaults, text);
  if (found) return found;
  const [, field, rest] = /^(\S+) (.+)$/s.exec(text) ?? [];
  const inner = rest === undefined ? undefined : recognizeTemplate(valueFaults, rest);
  return inner && field !== undefined ? { field, ...inner } : undefined;
}
