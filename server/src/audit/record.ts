import { findCredential, findUserById, platformId, type Access } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Action } from '../kernel/http/action.ts';
import { newId } from '../kernel/values/ids.ts';
import { insertEntry } from './queries.ts';
import { actorOf, type AuditActor, chainOf, detailsOf, targetsOf } from './rules/entry.ts';

/**
 * Records who did what, in the transaction that does it. The HTTP layer calls this for every request that is
 * recorded (see `isRecorded`), so a handler cannot forget it.
 */
export async function recordAction(tx: Tx, action: Action<Access>): Promise<void> {
  const actor = actorOf(action, platformId);
  const chainId = action.access.actor.kind === 'anonymous' ? actor.chainId : chainOf(action);
  await insertEntry(tx, chainId, {
    entry_id: newId(),
    chain_id: chainId,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: await findName(tx, actor, action.access),
    is_on_behalf: actor.isOnBehalf,
    action: action.id,
    targets: targetsOf(action),
    details: detailsOf(action.body),
    address: action.address,
    request_id: action.requestId,
  });
}

/** Records what a command on the server did, such as `platform-user`. */
export async function recordCommand(tx: Tx, command: string, targets: Record<string, string>): Promise<void> {
  await insertEntry(tx, platformId, {
    entry_id: newId(),
    chain_id: platformId,
    actor_kind: 'command',
    actor_id: '',
    actor_name: '',
    is_on_behalf: false,
    action: command,
    targets,
    details: null,
    address: null,
    request_id: null,
  });
}

async function findName(tx: Tx, { kind, id, chainId }: AuditActor, { actor }: Access): Promise<string> {
  if (kind === 'user' || kind === 'operator') return (await findUserById(tx, chainId, id))?.email ?? '';
  if (kind === 'platform') return (await findCredential(tx, Buffer.from(actor.id, 'hex')))?.name ?? '';
  return actor.name;
}
