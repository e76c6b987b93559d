import type { InputError } from '@aisle/contract/common';
import type { ErrorCode } from '@aisle/contract/errors';
import type { BodyShape } from './check-shape.ts';
import type { KnownFields } from './known-fields.ts';

/**
 * The kinds of bodies that a feature reads, each with its options and the plan that reading it produces.
 */
export type BodyKinds = Record<string, { options: object; plan: unknown }>;

export type BodyReads<Kinds extends BodyKinds> = {
  [Kind in keyof Kinds]: {
    read(document: unknown, options: Kinds[Kind]['options']): Kinds[Kind]['plan'];
    /** The limits that a large body is checked against before it is parsed. */
    limits(options: Kinds[Kind]['options']): BodyShape;
  };
};

/** The message to a worker thread, which imports `bodies` from `module`. The thread replies with a `ReadResult`. */
export type ReadJob = { module: string; kind: string; bytes: Uint8Array; known: KnownFields | null; options: object };
export type ReadResult = { ignored: string[] } & (
  | { plan: unknown }
  | { failure: { code: ErrorCode; detail: string; errors?: InputError[] } }
);
