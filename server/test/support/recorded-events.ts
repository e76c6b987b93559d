import assert from 'node:assert/strict';
import { type EventType, events } from '@aisle/contract/events';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Db } from '../../src/kernel/database/db.ts';

type Recorded = { event_no: string; event_id: string; type: EventType; body: unknown };

const pageSize = 1000;

/** Fails if a recorded event has a body that does not match its schema. Undeclared properties count as errors. */
export async function assertEventsMatchContract(db: Db): Promise<void> {
  for (let last = '0', size = pageSize; size === pageSize; ) {
    const page = await listRecorded(db, last);
    const mismatches = page.flatMap(findMismatches);
    assert.deepEqual(mismatches, [], 'recorded events do not match contract/src/events.ts');
    size = page.length;
    last = page.at(-1)?.event_no ?? last;
  }
}

function listRecorded(db: Db, after: string): Promise<Recorded[]> {
  return db.query('select event_no, event_id, type, body from events where event_no > $1 order by event_no limit $2', [
    after,
    pageSize,
  ]);
}

function findMismatches({ event_id, type, body }: Recorded): string[] {
  const validator = validatorOf(type);
  if (validator.Check(body)) return [];
  return validator.Errors(body).map(({ instancePath, message }) => {
    return `${type} ${event_id}: ${instancePath || '/'} ${message}: ${JSON.stringify(valueAt(body, instancePath))}`;
  });
}

const validators = new Map<EventType, Validator>();

function validatorOf(type: EventType): Validator {
  const validator = validators.get(type) ?? Compile(closed(events[type].body));
  validators.set(type, validator);
  return validator;
}

/** Returns the schema with undeclared properties forbidden in all objects. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    isObject(value) && isObject(value['properties']) ? { ...value, additionalProperties: false } : value,
  );
}

function valueAt(body: unknown, path: string): unknown {
  const names = path.split('/').slice(1);
  return names.reduce((value, name) => (isObject(value) ? value[name] : undefined), body);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
