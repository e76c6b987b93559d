import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { defineTask, type TaskKind } from '../kernel/background/queue.ts';
import { type ReadStored, storedJson } from '../kernel/values/stored-json.ts';
import type { JobRow, JobType } from './queries.ts';

/**
 * A job type, defined by the feature it belongs to. The payload is the state of a single task. The details are
 * stored in the job's row and shared by all of its tasks. `acceptJob` writes both, and `runJob` reads them.
 */
export type JobKind<Name extends JobType, Payload, Details> = {
  readonly type: Name;
  readonly task: TaskKind<Payload>;
  readDetails: ReadStored<Details>;
};

export type Job<Name extends JobType, Details> = Omit<JobRow<Name>, 'details'> & { details: Details };

export type JobOf<Kind> = Kind extends JobKind<infer Name, infer _, infer Details> ? Job<Name, Details> : never;
export type PayloadOf<Kind> = Kind extends JobKind<JobType, infer Payload, unknown> ? Payload : never;

/** Part of the payload of every task that belongs to a job. */
export const jobPayload = { job_id: Type.String() };

export function defineJob<
  Name extends JobType,
  P extends TProperties & typeof jobPayload,
  D extends TProperties,
>(definition: {
  type: Name;
  task: string;
  payload: P;
  details: D;
}): JobKind<Name, Static<TObject<P>>, Static<TObject<D>>> {
  const { type, task, payload, details } = definition;
  return {
    type,
    task: defineTask(task, payload),
    readDetails: storedJson(`details of a ${type} job`, Type.Object(details)),
  };
}

/**
 * The same job with another name for its tasks, for work that a worker of the previous version would not do correctly.
 * During a rolling upgrade, that worker does not know the name, so it leaves the task to a worker of this version.
 */
export function renameTask<Name extends JobType, Payload, Details>(
  kind: JobKind<Name, Payload, Details>,
  task: string,
): JobKind<Name, Payload, Details> {
  return { ...kind, task: { ...kind.task, name: task } };
}

export function readJob<Name extends JobType, Payload, Details>(
  kind: JobKind<Name, Payload, Details>,
  row: JobRow,
): Job<Name, Details> {
  return { ...row, type: kind.type, details: kind.readDetails(row.details) };
}
