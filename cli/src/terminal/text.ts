import { stripVTControlCharacters } from 'node:util';

/**
 * Text from the API on one line. Control characters are removed, because a comment on an order must not be able to move
 * the cursor or to change the title of the terminal.
 */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(controls, ' ').replaceAll(directions, '');
}

/** Lines that are written to the terminal: as `plain`, but with line breaks, tabs and colors. */
export function safeLines(text: string): string {
  return text
    .split(colors)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .split(/([\n\t])/)
            .map(safePart)
            .join(''),
    )
    .join('');
}

/** JSON, without characters that terminals interpret. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replaceAll(inJson, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function safePart(text: string): string {
  return text === '\n' || text === '\t' ? text : plain(text);
}

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f]+/g;
// oxlint-disable-next-line no-control-regex
const colors = /(\u001b\[[0-9;]*m)/;
/** These reorder the text around them. Letters of right-to-left languages do not need them. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;
const inJson = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The number of columns that the text takes. */
export function widthOfText(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += widthOfCharacter(character);
  return width;
}

export function truncate(text: string, width: number): string {
  if (widthOfText(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOfCharacter(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Breaks text at spaces into lines of up to this width; the indent of all lines but the first is not included. */
export function wrap(text: string, width: number, indent = 0): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const isFull = line !== '' && widthOfText(line) + 1 + widthOfText(word) > width;
    if (isFull) lines.push(line);
    line = isFull || line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** Without the start that all names share up to a comma or a dash, such as the name of the chain. */
export function shortNames(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  const starts = [...first.matchAll(/(, | [-–—] )/g)].map(({ index, 0: mark }) => first.slice(0, index + mark.length));
  const isShared = (start: string) => names.every((name) => name.startsWith(start) && name.length > start.length);
  const start = others.some((name) => name !== first) ? starts.findLast(isShared) : undefined;
  return names.map((name) => name.slice(start?.length ?? 0));
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** An amount with the decimal places that its currency has. */
export function money(amount: number, currency: string): string {
  const { maximumFractionDigits: digits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return `${amount.toFixed(digits)} ${currency}`;
}

export function kilograms(weight: number): string {
  return `${weight.toFixed(3)} kg`;
}

function widthOfCharacter(character: string): number {
  if (/\p{M}|\p{Cf}/u.test(character)) return 0;
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u.test(
    character,
  )
    ? 2
    : 1;
}
