import type { Output, Terminal } from './terminal.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

/** Colors are used in terminals only, unless FORCE_COLOR is set. See no-color.org for NO_COLOR. */
export function createPaint({ env }: Pick<Terminal, 'env'>, output: Output, isAllowed: boolean): Paint {
  const isForced = Boolean(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0';
  const isPossible = isForced || (output.isTTY === true && env['TERM'] !== 'dumb');
  if (!isAllowed || env['NO_COLOR'] || !isPossible) return (_style, text) => text;
  const codes = /256|direct/.test(env['TERM'] ?? '') || env['COLORTERM'] ? { ...basic, ...readable } : basic;
  return (style, text) => {
    const [start, end] = codes[style];
    return text === '' ? '' : `\u001b[${start}m${text}\u001b[${end}m`;
  };
}

/** The color of a status of an order, a job, a delivery, a promotion, a webhook or a store. */
export function styleOf(status: string): Style {
  if (/^(CANCELLED|FAILED|EXHAUSTED|DISABLED|ERROR|NOT_FOUND|CLOSED)/.test(status)) return 'red';
  if (/^(DELIVERED|PICKED_UP|COMPLETED|RUNNING|ENABLED|OPEN|IN_CART|READY_FOR_PICKUP|DISPATCHED)/.test(status)) {
    return 'green';
  }
  return /^(ENDED|UNCHANGED|NOT_PROCESSED)/.test(status) ? 'dim' : 'yellow';
}

type Codes = readonly [start: string, end: string];

const basic: Record<Style, Codes> = {
  bold: ['1', '22'],
  dim: ['2', '22'],
  red: ['31', '39'],
  green: ['32', '39'],
  yellow: ['33', '39'],
  cyan: ['36', '39'],
};

/**
 * Of the 256 colors, those that differ enough from both white and black. The basic yellow, green and cyan cannot be read
 * on white in many terminals.
 */
const readable: Partial<Record<Style, Codes>> = {
  red: ['38;5;196', '39'],
  green: ['38;5;28', '39'],
  yellow: ['38;5;130', '39'],
  cyan: ['38;5;30', '39'],
};
