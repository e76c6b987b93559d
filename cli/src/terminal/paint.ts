import { styleText } from 'node:util';
import type { Output, Terminal } from './terminal.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

/** Colors are used in terminals only, unless FORCE_COLOR is set. See no-color.org for NO_COLOR. */
export function createPaint({ env }: Pick<Terminal, 'env'>, output: Output, isAllowed: boolean): Paint {
  const isForced = Boolean(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0';
  const isPossible = isForced || (output.isTTY === true && env['TERM'] !== 'dumb');
  if (!isAllowed || env['NO_COLOR'] || !isPossible) return (_style, text) => text;
  return (style, text) => (text === '' ? '' : styleWithoutChecks(style, text));
}

/** The color of a status of an order, a job, a delivery, a promotion, a webhook or a store. */
export function styleOf(status: string): Style {
  if (/^(CANCELLED|FAILED|EXHAUSTED|DISABLED|ERROR|NOT_FOUND|CLOSED)/.test(status)) return 'red';
  if (/^(DELIVERED|PICKED_UP|COMPLETED|RUNNING|ENABLED|OPEN|IN_CART|READY_FOR_PICKUP|DISPATCHED)/.test(status)) {
    return 'green';
  }
  return /^(ENDED|UNCHANGED|NOT_PROCESSED)/.test(status) ? 'dim' : 'yellow';
}

/** Newer versions of Node check the stream by default, but we already did. */
function styleWithoutChecks(style: Style, text: string): string {
  return (styleText as (style: Style, text: string, options: object) => string)(style, text, { validateStream: false });
}
