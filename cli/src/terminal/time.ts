const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

/** For example `12 s ago`, `3 min ago` or `in 2 h`; a date if it is more than a month away. */
export function relativeTime(timestamp: string, now: Date): string {
  const seconds = Math.round((now.getTime() - Date.parse(timestamp)) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 2) return 'now';
  if (distance >= 31 * 86_400) return timestamp.slice(0, 10);
  const [unit, size] = units.find(([, one]) => distance >= one) ?? (['s', 1] as const);
  const text = `${Math.floor(distance / size)} ${unit}`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

/** The local time of day. */
export function clockTime(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((one) => String(one).padStart(2, '0')).join(':');
}

/** Reads `90s`, `15m`, `2h` or `1d`, and returns milliseconds. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d+)\s*(s|m|min|h|d)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  return Number(number) * { s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 's'];
}
