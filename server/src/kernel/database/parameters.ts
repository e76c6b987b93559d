/** A parameter as it is sent: text, bytes or null. */
export type Parameter = string | Buffer | null;

/**
 * Converts the values of a statement before it is sent. If that failed while it is sent, the statements sent together
 * with it would be out of step with their responses.
 */
export function toParameters(values: readonly unknown[]): Parameter[] {
  return values.map(toParameter);
}

function toParameter(value: unknown): Parameter {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? arrayText(value) : JSON.stringify(value);
}

/** An array literal, such as `{"a","b",NULL}`. */
export function arrayText(values: readonly unknown[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

function elementText(value: unknown): string {
  if (Array.isArray(value)) return arrayText(value);
  const parameter = toParameter(value);
  if (parameter === null) return 'NULL';
  return typeof parameter === 'string' ? quoted(parameter) : `"\\\\x${parameter.toString('hex')}"`;
}

function quoted(text: string): string {
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}
