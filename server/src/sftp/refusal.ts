import ssh2 from 'ssh2';
import { Failure } from '../kernel/failures/failure.ts';

export const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;
type Status = keyof typeof STATUS_CODE;

/** A request that cannot be fulfilled. The client receives the status and the message. */
export class Refusal extends Error {
  readonly status: Status;
  constructor(status: Status, message: string) {
    super(message);
    this.status = status;
  }
}

export function refuse(status: Status, message: string): Refusal {
  return new Refusal(status, message);
}

export function noSuchFile(path: string): Refusal {
  return refuse('NO_SUCH_FILE', `There is no ${path.slice(0, 200)}.`);
}

export function denied(message: string): Refusal {
  return refuse('PERMISSION_DENIED', message);
}

/** Converts a `Failure` to a refusal. Undefined if the error is unexpected. */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Failure)) return undefined;
  if (error.code === 'forbidden') return denied(error.message);
  return refuse(error.code.endsWith('_not_found') ? 'NO_SUCH_FILE' : 'FAILURE', error.message);
}
