import type { Problem } from '@aisle/contract/common';
import { currentLanguage } from './language.ts';

/**
 * The API's messages are in English and for developers. These are the texts of the catalogue for the codes of the API,
 * or the API's message if there is none.
 */

/** The text of an error response. Undefined if the response has no message. */
export function errorText({ code, detail }: Partial<Problem>): string | undefined {
  return currentLanguage().find(`error.${code}`, { detail: detail ?? '' }) ?? detail;
}

/** The short title of an error response. It has no translation. */
export function errorTitle({ title }: Partial<Problem>): string | undefined {
  return currentLanguage().language === 'en' ? title : undefined;
}

/** The text of a problem with a field or an item. */
export function problemText(code: string | null | undefined, detail: string): string {
  return currentLanguage().find(`problem.${code}`, { detail }) ?? detail;
}

/** The text of a promotion job's error, which starts with a code. */
export function jobErrorText(error: string): string {
  const [, code, detail] = /^(\w+): (.+)$/s.exec(error) ?? [];
  return problemText(code, detail ?? error);
}
