import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Starts a headless browser: the one given in `AISLE_BROWSER`, otherwise an installed one, otherwise (on Linux x64) the
 * one in our npm packages. If there is no browser, the tests fail with instructions.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--headless=shell', '--disable-gpu'] });
}

/** Returns the path to the browser, extracting it first if necessary. */
export async function findBrowser(): Promise<string> {
  const { AISLE_BROWSER: given } = process.env;
  if (given && existsSync(given)) return given;
  if (given) throw new Error(`AISLE_BROWSER is set to ${given}, but that file does not exist.`);
  const found = defaultPaths.find(existsSync);
  if (found) return found;
  if (process.platform === 'linux' && process.arch === 'x64') return extractBrowser();
  throw new Error(
    'The portal tests need a browser. Install Chrome or Chromium (on Debian: apt-get install chromium), or set AISLE_BROWSER=/path/to/chrome.',
  );
}

/** Simulates AWS Lambda, because only there does the package also extract the libraries that the browser needs. */
async function extractBrowser(): Promise<string> {
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x';
  const { default: bundled } = await import('@sparticuz/chromium');
  return bundled.executablePath();
}

/** The headless shell comes first because it is about 25% faster. */
const defaultPaths = [
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
