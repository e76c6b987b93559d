import { Problem } from '../../contract/src/common.ts';
import { errors } from '../../contract/src/errors.ts';
import { events } from '../../contract/src/events.ts';
import { FeedEvent } from '../../contract/src/feed.ts';
import { type Json, pascal, type SchemaComponents } from '../../contract/src/openapi/schemas.ts';
import { comment, type Declarations } from './declarations.ts';

/** One interface per error code, and their union. The advice for a code names the extra fields of that error. */
export function problemTypes(schemas: SchemaComponents, types: Declarations): string {
  const { properties } = schemas.components()['Problem'] as { properties: Record<string, Json> };
  const required: readonly string[] = Problem.required ?? [];
  const isDetail = (name: string) => !required.includes(name) && name !== 'errors';
  const details = Object.keys(properties).filter(isDetail);
  const shared = Object.fromEntries(Object.entries(properties).filter(([name]) => !isDetail(name) && name !== 'code'));
  const described = (advice: string) => details.filter((name) => advice.includes(`\`${name}\``));
  checkDescribed(
    details,
    Object.values(errors).flatMap(({ advice }) => described(advice)),
  );
  const each = Object.entries(errors).map(([code, { status, title, advice }]) => {
    const own = Object.fromEntries(described(advice).map((name) => [name, properties[name] ?? {}]));
    const fields = `  code: '${code}';\n  status: ${status};\n${types.fields(own, [])}`;
    return `${comment(`${title}. ${advice}`)}export interface ${pascal(code)}Problem extends ProblemFields {\n${fields}}\n`;
  });
  const { status: _status, ...fields } = shared;
  const names = Object.keys(errors).map((code) => `  | ${pascal(code)}Problem`);
  return [
    `/** The fields of every error response (RFC 9457). */\nexport interface ProblemFields {\n${types.fields(fields, required)}}\n`,
    ...each,
    `/** An error response. \`code\` says which one, and is stable. */\nexport type Problem =\n${names.join('\n')};\n`,
    `export type ErrorCode = Problem['code'];\n`,
  ].join('\n');
}

/** One interface per event type, as in the feed, and their union. */
export function eventTypes(schemas: SchemaComponents, types: Declarations): string {
  const {
    type: _type,
    body: _body,
    ...shared
  } = (schemas.components()['FeedEvent'] as { properties: Record<string, Json> }).properties;
  const each = Object.entries(events).map(([type, { summary, body }]) => {
    const name = `${pascal(type)}Event`;
    const bodyName = types.typeOf(schemas.use(body, `${name}Body`));
    const fields = `  type: '${type}';\n  /** The same body that is sent to webhooks. */\n  body: ${bodyName};\n`;
    return `${comment(summary)}export interface ${name} extends EventFields {\n${fields}}\n`;
  });
  const names = Object.keys(events).map((type) => `  | ${pascal(type)}Event`);
  return [
    `/** The fields of every event. */\nexport interface EventFields {\n${types.fields(shared, FeedEvent.required ?? [])}}\n`,
    ...each,
    `/** An event in the feed. \`type\` says which one. */\nexport type FeedEvent =\n${names.join('\n')};\n`,
    `export type EventType = FeedEvent['type'];\n`,
  ].join('\n');
}

function checkDescribed(details: string[], described: string[]): void {
  const missing = details.filter((name) => !described.includes(name));
  if (missing.length > 0)
    throw new Error(`No error's advice mentions these fields of problems: ${missing.join(', ')}.`);
}
