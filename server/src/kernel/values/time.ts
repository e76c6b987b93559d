/** Parses a time in a request, with `Z`, an offset or neither (which means UTC). Null if it is invalid. */
export function parseTime(text: string): Date | null {
  const match = form.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const offset = zoneMinutes(zone);
  if (offset === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const calendar = new Date(utc);
  if (calendar.getUTCMonth() !== Number(month) - 1 || calendar.getUTCDate() !== Number(day)) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const time = new Date(utc + milliseconds - offset * 60_000);
  // With an offset, the last hours of 9999 can be in the year 10000 UTC, which RFC 3339 cannot represent.
  return time.getUTCFullYear() > 9999 ? null : time;
}

/**
 * Accepts only IANA names. An offset such as +05:30 is valid in JavaScript, but PostgreSQL rejects or negates it. So are
 * some old names, such as AET and IST, which PostgreSQL does not know, or takes for another zone.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name) || oldZones.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The names of three letters, except those of IANA, and names that only JavaScript has. */
const oldZones =
  /^(?!(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$)[a-z]{3}$|^SystemV\/|^US\/Pacific-New$|^Canada\/East-Saskatchewan$/i;

/** The end of the current day in the time zone. This is midnight, or later if a clock change skips midnight. */
export function nextMidnight(now: Date, timezone: string): Date {
  const today = localDate(now, timezone);
  // The next day begins within 26 hours. A binary search finds its first millisecond despite clock changes.
  let [before, after] = [now.getTime(), now.getTime() + 26 * 3_600_000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localDate(new Date(middle), timezone) === today) before = middle;
    else after = middle;
  }
  return new Date(after);
}

/** The given time of day (`08:00`) on the next day in the time zone, or shortly after it if a clock change skips it. */
export function tomorrowAt(time: string, now: Date, timezone: string): Date {
  const midnight = nextMidnight(now, timezone);
  const wanted = minutesOf(time);
  const guess = new Date(midnight.getTime() + wanted * 60_000);
  const found = minutesOf(localTime(guess, timezone));
  // They differ if the clocks change during the night. By more than half a day, the guess is in the neighboring day.
  const difference = ((wanted - found + 2160) % 1440) - 720;
  const corrected = new Date(guess.getTime() + difference * 60_000);
  return minutesOf(localTime(corrected, timezone)) === wanted ? corrected : guess;
}

function localTime(time: Date, timezone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' }).format(time);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function localDate(time: Date, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(time);
}

const form =
  /^([1-9]\d{3})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

function zoneMinutes(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
