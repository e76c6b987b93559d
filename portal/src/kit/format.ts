import { isolated } from '../messages/catalogue.ts';
import { currentLanguage } from '../messages/language.ts';

/** Formats numbers, money and times for the language that the portal is shown in, and the region of the browser. */

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(currentLanguage().locale).format(value);
}

export function formatMoney(value: number, currency: string): string {
  return new Intl.NumberFormat(currentLanguage().locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: 3,
  }).format(value);
}

export function formatPercent(part: number, whole: number): string {
  return whole === 0
    ? '–'
    : new Intl.NumberFormat(currentLanguage().locale, { style: 'percent', maximumFractionDigits: 1 }).format(
        part / whole,
      );
}

/** For example "a, b, c", without a word before the last one. */
export function formatList(parts: readonly string[]): string {
  return joined(parts, currentLanguage().t('kit.listSeparator'));
}

/** For example "Market, Marina · Market, Jumeirah": a name can contain a comma. */
export function formatNames(names: readonly string[]): string {
  return joined(names, ' · ');
}

function joined(parts: readonly string[], separator: string): string {
  const { direction } = currentLanguage();
  return parts.map((part) => isolated(part, direction)).join(separator);
}

export function formatKilograms(value: number): string {
  const style = { style: 'unit', unit: 'kilogram', maximumFractionDigits: 3 } as const;
  return new Intl.NumberFormat(currentLanguage().locale, style).format(value);
}

/** For example "850 bytes", "48.2 kB" or "1.3 GB". */
export function formatBytes(bytes: number): string {
  const [unit, size] = byteUnits.find(([, one]) => bytes >= one) ?? (['byte', 1] as const);
  const style = { style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short' } as const;
  return new Intl.NumberFormat(currentLanguage().locale, { ...style, maximumFractionDigits: 1 }).format(bytes / size);
}

/** For example 0.4 ms, 12 ms or 3.2 sec. */
export function formatMilliseconds(ms: number): string {
  const [value, unit] = ms >= 1000 ? [ms / 1000, 'second'] : [ms < 10 ? ms : Math.round(ms), 'millisecond'];
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(currentLanguage().locale, style).format(value);
}

/**
 * Includes the time zone, because a chain's users can be in different time zones. It is the browser's time zone, unless
 * another one is given.
 */
export function formatDateTime(time: string, timeZone?: string): string {
  const options = { ...date, ...clock, timeZoneName: 'short', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat(currentLanguage().locale, options).format(new Date(time));
}

export function formatShortDateTime(time: string): string {
  return new Intl.DateTimeFormat(currentLanguage().locale, { ...shortDate, ...clock }).format(new Date(time));
}

/** The time if it is today, otherwise also the date. */
export function formatSince(time: string, now = new Date()): string {
  const isToday = new Date(time).toDateString() === now.toDateString();
  return isToday
    ? new Intl.DateTimeFormat(currentLanguage().locale, clock).format(new Date(time))
    : formatShortDateTime(time);
}

/**
 * The time in a store's time zone if it is today there, otherwise also the date. Names the time zone if clocks there
 * differ from those of the browser.
 */
export function formatStoreTime(time: string, timeZone: string, now = new Date()): string {
  const at = new Date(time);
  const isToday = dayIn(at, timeZone) === dayIn(now, timeZone);
  const isOther = wallClock(at, timeZone) !== wallClock(at);
  const options = { ...(!isToday && shortDate), ...clock, ...(isOther && ({ timeZoneName: 'short' } as const)) };
  return new Intl.DateTimeFormat(currentLanguage().locale, { ...options, timeZone }).format(at);
}

/** Includes seconds, for lists where the sequence matters. */
export function formatExactTime(time: string): string {
  return new Intl.DateTimeFormat(currentLanguage().locale, { ...shortDate, ...clock, second: '2-digit' }).format(
    new Date(time),
  );
}

export function formatDate(time: string): string {
  return new Intl.DateTimeFormat(currentLanguage().locale, date).format(new Date(time));
}

/** The abbreviated name of the browser's time zone. */
export function timeZoneName(): string {
  const parts = new Intl.DateTimeFormat(currentLanguage().locale, { timeZoneName: 'short' }).formatToParts(new Date());
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** For example "3 minutes ago" or "in 2 days". */
export function relativeTime(time: string, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? (['second', 1] as const);
  const { locale, t } = currentLanguage();
  if (unit === 'second') return seconds > 0 ? t('kit.inAMoment') : t('kit.justNow');
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

/** A relative time within a day of now, otherwise a date and time. */
export function formatRecentTime(time: string, now = Date.now()): string {
  const isNear = Math.abs(new Date(time).getTime() - now) < 86_400_000;
  return isNear ? relativeTime(time, now) : formatShortDateTime(time);
}

/**
 * The text for a code of the API, such as a status. A code without a text becomes readable English:
 * `CATALOG_UPDATE` → `Catalog update`, `HTTP_ERROR` → `HTTP error`.
 */
export function humanize(code: string): string {
  const found = currentLanguage().find(`code.${code.toUpperCase()}`);
  if (found !== undefined) return found;
  const text = code
    .split('_')
    .map((word) => (abbreviations.has(word.toUpperCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text that the platform sent. It can be a code, such as `BEST_MATCH`, which is shown as words. */
export function humanizeIfCode(value: string): string {
  return /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(value) ? humanize(value) : value;
}

/** The name of a language and region, for example "English (United Arab Emirates)" for `en_AE`. */
export function formatLocale(locale: string): string {
  const names = new Intl.DisplayNames(currentLanguage().locale, { type: 'language', languageDisplay: 'standard' });
  return names.of(locale.replace('_', '-')) ?? locale;
}

function dayIn(time: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time);
}

/** The date and the time on a clock in a time zone, by default the browser's. */
function wallClock(time: Date, timeZone?: string): string {
  const options = { dateStyle: 'short', timeStyle: 'short', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat('en-CA', options).format(time);
}

const abbreviations = new Set(['HTTP', 'TLS', 'DNS', 'NMR']);
const shortDate = { day: 'numeric', month: 'short' } as const;
const date = { ...shortDate, year: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const byteUnits = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;
const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
