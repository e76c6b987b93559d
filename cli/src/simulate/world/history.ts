import { hash } from 'node:crypto';

/** What the simulation did and what it saw. The checks compare it with what is stored at the end. */
export type History = {
  operations: Operation[];
  arrivals: Arrival[];
  /** Violations that are found while the simulation runs, such as a replay that differs. */
  violations: Violation[];
  /** Responses by status and error code. */
  responses: Map<string, number>;
};

export type OperationKind =
  | 'place'
  | 'fulfil'
  | 'reject'
  | 'cancel'
  | 'pickup'
  | 'deliver'
  | 'collect'
  | 'update'
  | 'promotion'
  | 'create'
  | 'open'
  | 'close'
  | 'mistake';

/** A write request and its outcome. */
export type Operation = {
  /** Starts with the chain's tag: `chain-1-op17`. */
  id: string;
  chain: string;
  kind: OperationKind;
  orderId?: string;
  /** The store, for placing an order and for opening and closing. */
  vendorId?: string;
  /** For placing and fulfilling an order: what was sent, see `orderedItems` and `pickedItems`. */
  items?: string[];
  /** For catalog updates. */
  writes?: Write[];
  key?: string;
  startedAt: number;
  endedAt?: number;
  attempts: number;
  /** `unknown`: there was no response, or only 5xx, so the write may or may not have been stored. */
  outcome: 'running' | 'acknowledged' | 'rejected' | 'unknown';
  result?: Result;
};

/** The response, reduced to what the checks need. An hour of complete responses would not fit into memory. */
export type Result = {
  status: number;
  code?: string;
  orderId?: string;
  revision?: number;
  orderStatus?: string;
  /** Identifies the order at this revision, as in its event. */
  snapshot?: string;
  jobId?: string;
};

export type Write = { vendorId: string; sku: string; field: 'price' | 'quantity'; value: number };

/** A message that a receiver got. `digest` identifies its body. */
export type Arrival = { chain: string; eventId: string; digest: string };

export type Violation = {
  /** The rule that was violated. */
  rule: string;
  message: string;
  /** The order concerned, or the SKU with its chain and store. */
  subject?: string;
  details?: string[];
};

export function newHistory(): History {
  return { operations: [], arrivals: [], violations: [], responses: new Map() };
}

/** Identifies a JSON value, whatever the order of its properties. */
export function digest(value: unknown): string {
  return hash('sha1', sortedJson(value), 'base64url');
}

/** Identifies an order at one revision, whether it comes from a response or from an event. */
export function orderDigest(order: Record<string, unknown>): string {
  const { allowed_actions: _actions, warnings: _warnings, post_pickup_flag: _flag, ...snapshot } = order;
  return digest(snapshot);
}

/** Describes everything that happened to an order or a SKU, for the report. */
export function describeHistory(history: History, subject: string): string[] {
  const concerns = ({ chain, orderId, result, writes }: Operation) =>
    orderId === subject ||
    result?.orderId === subject ||
    writes?.some(({ vendorId, sku }) => `${chain} ${vendorId} ${sku}` === subject);
  const lines = history.operations.filter(concerns).map((operation) => {
    const { result } = operation;
    const seconds = (ms: number | undefined) => (ms === undefined ? '…' : (ms / 1000).toFixed(3));
    const response = result
      ? `${result.status} ${result.code ?? result.orderStatus ?? ''} ${revisionText(result)}`
      : '';
    const times = `${seconds(operation.startedAt)}–${seconds(operation.endedAt)} s`;
    return `${times} ${operation.id} ${operation.kind} ${operation.outcome} after ${operation.attempts} attempts ${response}`.trimEnd();
  });
  return lines.length > 40 ? [`(${lines.length - 40} earlier operations)`, ...lines.slice(-40)] : lines;
}

function revisionText({ revision }: Result): string {
  return revision === undefined ? '' : `revision ${revision}`;
}

/** JSON with the properties of each object in alphabetical order. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  for (const name of Object.keys(value).toSorted()) {
    const inner = (value as Record<string, unknown>)[name];
    if (inner !== undefined) text += `${text === '' ? '' : ','}"${name}":${sortedJson(inner)}`;
  }
  return `{${text}}`;
}
