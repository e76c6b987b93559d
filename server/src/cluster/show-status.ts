import type { Db } from '../kernel/database/db.ts';
import { checkCluster, isDistributed, listMisplacedTables } from './distribute.ts';
import { findCitusVersion, listInDoubt, listNodes, listNodeUse, listTables } from './queries.ts';
import { tableClasses } from './tables.ts';

/** Describes the cluster for the operator: nodes, shards, sizes, chains, and what needs attention. */
export async function describeCluster(db: Db): Promise<string> {
  await checkCluster(db);
  const [version, nodes, use, inDoubt] = [
    await findCitusVersion(db),
    await listNodes(db),
    (await isDistributed(db)) ? await listNodeUse(db) : [],
    await listInDoubt(db),
  ];
  const lines = nodes.map((node) => {
    const { shards = 0, bytes = '0', chains = 0 } = use.find(({ address }) => address === node.address) ?? {};
    const prepared = inDoubt.find(({ address }) => address === node.address)?.count ?? 0;
    const cells = [
      node.address.padEnd(28),
      (node.is_coordinator ? 'coordinator' : 'worker').padEnd(12),
      String(shards).padStart(8),
      `${(Number(bytes) / 1e6).toFixed(1)} MB`.padStart(12),
      String(chains).padStart(8),
      (prepared === -1 ? 'unreachable' : String(prepared)).padStart(12),
    ];
    return cells.join('');
  });
  const heading = ['Node'.padEnd(28), 'Role'.padEnd(12), 'Shards'.padStart(8), 'Size'.padStart(12)].join('');
  return [
    `Citus ${version}`,
    '',
    `${heading}${'Chains'.padStart(8)}${'In doubt'.padStart(12)}`,
    ...lines,
    '',
    ...(await describeTables(db)),
  ].join('\n');
}

async function describeTables(db: Db): Promise<string[]> {
  const unknown = (await listTables(db)).filter(({ name }) => !tableClasses.has(name)).map(({ name }) => name);
  if (!(await isDistributed(db))) return ['The tables are not distributed: run "npm start -- distribute".'];
  const misplaced = (await listMisplacedTables(db)).map(
    (table) => `${table.name} is ${table.class}, not ${table.goal}`,
  );
  return [
    misplaced.length === 0
      ? 'Every table is stored as its class requires.'
      : `Run "npm start -- distribute": ${misplaced.join('; ')}.`,
    ...(unknown.length > 0 ? [`Tables without a class: ${unknown.join(', ')}.`] : []),
  ];
}
