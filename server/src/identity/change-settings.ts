import type { Tx } from '../kernel/database/db.ts';
import {
  type ChainChanges,
  type ChainRow,
  requireSecondFactor,
  stopRequiringSecondFactor,
  updateChain,
} from './queries.ts';

export type SettingsChanges = ChainChanges & { require_second_factor_for_owners?: boolean };

export async function changeSettings(tx: Tx, chainId: string, changes: SettingsChanges): Promise<ChainRow> {
  const { require_second_factor_for_owners: isRequired, ...others } = changes;
  if (isRequired === true) await requireSecondFactor(tx, chainId);
  if (isRequired === false) await stopRequiringSecondFactor(tx, chainId);
  return updateChain(tx, chainId, others);
}
