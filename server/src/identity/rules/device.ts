/**
 * A short description of a User-Agent header, such as "Chrome on Windows", or null if there is none. It helps people to
 * recognize their sessions. No decision depends on it, because a client can send any text.
 */
export function describeDevice(userAgent: string | undefined): string | null {
  const text = userAgent?.trim() ?? '';
  const name = browsers.find(([, pattern]) => pattern.test(text))?.[0] ?? /^[\w.-]{1,40}/.exec(text)?.[0];
  if (name === undefined) return null;
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0];
  return system === undefined ? name : `${name} on ${system}`;
}

/** In this order, because most browsers also claim to be Chrome and Safari, and Android to be Linux. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];
