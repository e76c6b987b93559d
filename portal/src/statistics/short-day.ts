import { currentLanguage } from '../messages/language.ts';

/** Formats `2026-05-04` as `4 May`, regardless of the browser's time zone. */
export function shortDay(day: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage().locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return format.format(new Date(`${day}T12:00:00Z`));
}
