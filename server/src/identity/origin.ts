import type { Db } from '../kernel/database/db.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { findCredentialName } from './credential-queries.ts';
import type { Access } from './gate.ts';

export async function findOrigin(
  db: Db,
  { chainId, actor }: Pick<Access, 'chainId' | 'actor'>,
  address: string,
): Promise<Origin> {
  return {
    by: `${actor.kind}:${actor.id}`,
    name: await findActorName(db, { chainId, actor }),
    channel: actor.kind === 'user' ? 'portal' : 'api',
    address,
  };
}

/** A session does not contain the name of its user. */
export async function findActorName(db: Db, { chainId, actor }: Pick<Access, 'chainId' | 'actor'>): Promise<string> {
  if (actor.session?.onBehalf) return actor.session.onBehalf;
  if (actor.kind !== 'user') return actor.name;
  return (await findCredentialName(db, chainId, actor.id)) ?? '';
}
