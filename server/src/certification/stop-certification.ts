import type { Links } from '../config.ts';
import type { Tx } from '../kernel/database/db.ts';
import { listScenarios, lockCertification } from './queries.ts';
import { endCertification } from './run-certification.ts';

/** Stops the certification if it is still running. Its task ends with its next slice. */
export async function stopCertification(tx: Tx, chainId: string, certificationId: string, links: Links): Promise<void> {
  const row = await lockCertification(tx, chainId, certificationId);
  if (row?.status !== 'RUNNING') return;
  await endCertification(tx, row, await listScenarios(tx, chainId, certificationId), 'STOPPED', links);
}
