import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** Validates JSON from the database. This fails only if there is a bug, or if another version wrote the JSON. */
export type ReadStored<Value> = (stored: unknown) => Value;

export function storedJson<S extends TSchema>(name: string, schema: S): ReadStored<Static<S>> {
  const validator = Compile(schema);
  return (stored) => {
    if (validator.Check(stored)) return stored;
    const [first] = validator.Errors(stored);
    throw new Error(`Unexpected ${name} in the database: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
  };
}
