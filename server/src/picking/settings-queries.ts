import type { EmbeddedBarcodeSetting } from '@aisle/contract/picking-state';
import type { Static } from 'typebox';
import type { Db, Tx } from '../kernel/database/db.ts';

export type Settings = { embedded_barcodes: Static<typeof EmbeddedBarcodeSetting>[] };

export async function findSettings(db: Db, chainId: string): Promise<Settings> {
  const rows = await db.query<Settings>('select embedded_barcodes from picking_settings where chain_id = $1', [
    chainId,
  ]);
  return { embedded_barcodes: rows[0]?.embedded_barcodes ?? [] };
}

export async function saveSettings(tx: Tx, chainId: string, settings: Settings): Promise<void> {
  await tx.query(
    `insert into picking_settings (chain_id, embedded_barcodes) values ($1, $2)
     on conflict (chain_id) do update set embedded_barcodes = excluded.embedded_barcodes,
       updated_at = excluded.updated_at`,
    [chainId, JSON.stringify(settings.embedded_barcodes)],
  );
}
