import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * A real headless browser. `AISLE_BROWSER` names one; else one that is installed is used, or on Linux with an x64
 * processor the one of our packages. Without any, the tests fail and say what to do.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--headless=shell', '--disable-gpu'] });
}

/** Where it is; the first time it may have to be unpacked. */
export async function findBrowser(): Promise<string> {
  const { AISLE_BROWSER: given } = process.env;
  if (given && existsSync(given)) return given;
  if (given) throw new Error(`AISLE_BROWSER names ${given}, and there is no such file.`);
  const found = usualPlaces.find(existsSync);
  if (found) return found;
  if (process.platform === 'linux' && process.arch === 'x64') return unpackBrowser();
  throw new Error(
    'The tests of the portal need a browser: install Chrome or Chromium (on Debian: apt-get install chromium), or name one with AISLE_BROWSER=/path/to/chrome.',
  );
}

/** Its own libraries come along where the machine has none, but only if it takes itself to be in that cloud. */
async function unpackBrowser(): Promise<string> {
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x';
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

/** The first has no windows to draw, which saves a quarter of the time. */
const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
