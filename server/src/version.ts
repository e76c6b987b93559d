import { readFileSync } from 'node:fs';

/** The version of this software, as the package says. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
