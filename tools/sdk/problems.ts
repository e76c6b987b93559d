import { Problem } from '../../contract/src/common.ts';
import { errors } from '../../contract/src/errors.ts';
import { events } from '../../contract/src/events.ts';
import { FeedEvent } from '../../contract/src/feed.ts';
import { type Json, pascal, type SchemaComponents } from '../../contract/src/openapi/schemas.ts';
import type { Declarations, Field } from './declarations.ts';

/** One interface per error code, and their union. The advice for a code names the extra fields of that error. */
export function problemTypes(schemas: SchemaComponents, types: Declarations): string {
  const { language } = types;
  const fixed = fixedField(types);
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
    const fields = [fixed('code', code), fixed('status', status), ...types.fields(own, [])];
    return language.object(`${pascal(code)}Problem`, fields, {
      description: `${title}. ${advice}`,
      parent: 'ProblemFields',
    });
  });
  const { status: _status, ...fields } = shared;
  const names = Object.keys(errors).map((code) => `${pascal(code)}Problem`);
  return [
    language.object('ProblemFields', types.fields(fields, required), {
      description: 'The fields of every error response (RFC 9457).',
      isParent: true,
    }),
    ...each,
    language.union('Problem', names, 'An error response. `code` says which one, and is stable.'),
    language.alias('ErrorCode', language.fieldOf('Problem', 'code', Object.keys(errors))),
  ].join('\n');
}

/** One interface per event type, as in the feed, and their union. */
export function eventTypes(schemas: SchemaComponents, types: Declarations): string {
  const { language } = types;
  const fixed = fixedField(types);
  const {
    type: _type,
    body: _body,
    ...shared
  } = (schemas.components()['FeedEvent'] as { properties: Record<string, Json> }).properties;
  const each = Object.entries(events).map(([type, { summary, body }]) => {
    const name = `${pascal(type)}Event`;
    const bodyField = {
      name: 'body',
      type: types.typeOf(schemas.use(body, `${name}Body`)),
      isRequired: true,
      description: 'The same body that is sent to webhooks.',
    };
    const fields = [fixed('type', type), bodyField];
    return language.object(name, fields, { description: summary, parent: 'EventFields' });
  });
  const names = Object.keys(events).map((type) => `${pascal(type)}Event`);
  return [
    language.object('EventFields', types.fields(shared, FeedEvent.required ?? []), {
      description: 'The fields of every event.',
      isParent: true,
    }),
    ...each,
    language.union('FeedEvent', names, 'An event in the feed. `type` says which one.'),
    language.alias('EventType', language.fieldOf('FeedEvent', 'type', Object.keys(events))),
  ].join('\n');
}

function checkDescribed(details: string[], described: string[]): void {
  const missing = details.filter((name) => !described.includes(name));
  if (missing.length > 0)
    throw new Error(`No error's advice mentions these fields of problems: ${missing.join(', ')}.`);
}

/** A field that always has this value. */
function fixedField({ language }: Declarations) {
  return (name: string, value: unknown): Field => ({ name, type: language.literal(value), isRequired: true });
}
