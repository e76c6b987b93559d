import type { Tx } from '../database/db.ts';

/** What a successful request to an audited route did. `result` is what its transaction returned. */
export type Action<Access> = {
  /** The id of the operation. */
  id: string;
  access: Access;
  params: Readonly<Record<string, string>>;
  body: unknown;
  address: string;
  requestId: string;
  result: unknown;
};

/** Records an action in the transaction that performs it, so that there is no action without a record. */
export type RecordAction<Access> = (tx: Tx, action: Action<Access>) => Promise<void>;
