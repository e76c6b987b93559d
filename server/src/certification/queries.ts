import type { Static } from 'typebox';
import type { certificationStatuses, CertificationReport, scenarioStatuses } from '@aisle/contract/certification';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { Plan, ScenarioName } from './rules/plan.ts';

export type CertificationStatus = (typeof certificationStatuses)[number];

export type CertificationRow = {
  chain_id: string;
  certification_id: string;
  vendor_id: string;
  status: CertificationStatus;
  step_seconds: number;
  started_by: string;
  created_at: Date;
  finished_at: Date | null;
};

/** How many scenarios have each status. */
export type Counts = { passed: number; failed: number; skipped: number; total: number };

type ReportedStep = Static<typeof CertificationReport>['scenarios'][number]['steps'][number];

/** The code of a step is that of the script. Earlier versions stored no code for what happened. */
export type StepResult = Omit<ReportedStep, 'code' | 'actual_code' | 'actual_values'> &
  Partial<Pick<ReportedStep, 'actual_code' | 'actual_values'>>;

export type ScenarioRow = {
  scenario_no: number;
  name: ScenarioName;
  status: (typeof scenarioStatuses)[number];
  order_id: string | null;
  /** Null if the scenario is not possible at this store. */
  plan: Plan | null;
  step_started_at: Date;
  acted_at: Date;
  steps: StepResult[];
};

/** Returns nothing if a certification of this vendor is running. */
export async function insertCertification(
  tx: Tx,
  chainId: string,
  row: Pick<CertificationRow, 'certification_id' | 'vendor_id' | 'step_seconds' | 'started_by'>,
): Promise<CertificationRow | undefined> {
  const rows = await tx.query<CertificationRow>(
    `insert into certifications (chain_id, certification_id, vendor_id, step_seconds, started_by)
     values ($1, $2, $3, $4, $5)
     on conflict (chain_id, vendor_id) where status = 'RUNNING' do nothing returning *`,
    [chainId, row.certification_id, row.vendor_id, row.step_seconds, row.started_by],
  );
  return rows[0];
}

export async function findRunning(tx: Tx, chainId: string, vendorId: string): Promise<string | undefined> {
  const rows = await tx.query<{ certification_id: string }>(
    "select certification_id from certifications where chain_id = $1 and vendor_id = $2 and status = 'RUNNING'",
    [chainId, vendorId],
  );
  return rows[0]?.certification_id;
}

export async function insertScenarios(
  tx: Tx,
  chainId: string,
  certificationId: string,
  scenarios: { name: ScenarioName; plan: Plan | undefined }[],
): Promise<void> {
  await tx.query(
    `insert into certification_scenarios (chain_id, certification_id, scenario_no, name, plan, status)
     select $1, $2, position, name, plan, case when plan is null then 'SKIPPED' else 'RUNNING' end
     from unnest($3::text[], $4::jsonb[]) with ordinality as given (name, plan, position)`,
    [
      chainId,
      certificationId,
      scenarios.map(({ name }) => name),
      scenarios.map(({ plan }) => (plan === undefined ? null : JSON.stringify(plan))),
    ],
  );
}

export async function lockCertification(
  tx: Tx,
  chainId: string,
  certificationId: string,
): Promise<CertificationRow | undefined> {
  const rows = await tx.query<CertificationRow>(
    'select * from certifications where chain_id = $1 and certification_id = $2 for update',
    [chainId, certificationId],
  );
  return rows[0];
}

const withCounts = `select c.*, counts.* from certifications c, lateral (
    select count(*)::int as total, (count(*) filter (where s.status = 'PASSED'))::int as passed,
      (count(*) filter (where s.status = 'FAILED'))::int as failed,
      (count(*) filter (where s.status = 'SKIPPED'))::int as skipped
    from certification_scenarios s where s.chain_id = $1 and s.certification_id = c.certification_id
  ) counts`;

/** Null `vendorIds` means all vendors. */
export async function findCertification(
  db: Db,
  chainId: string,
  vendorIds: readonly string[] | null,
  certificationId: string,
): Promise<(CertificationRow & Counts) | undefined> {
  const rows = await db.query<CertificationRow & Counts>(
    `${withCounts} where c.chain_id = $1 and ($2::text[] is null or c.vendor_id = any ($2)) and c.certification_id = $3`,
    [chainId, vendorIds, certificationId],
  );
  return rows[0];
}

/** Newest first. Sorting by id is enough, because ids start with the time. */
export function listCertifications(
  db: Db,
  chainId: string,
  vendorIds: readonly string[] | null,
  page: PageRequest,
): Promise<(CertificationRow & Counts)[]> {
  return db.query(
    `${withCounts} where c.chain_id = $1 and ($2::text[] is null or c.vendor_id = any ($2))
     order by c.certification_id desc limit $3 offset $4`,
    [chainId, vendorIds, page.pageSize, page.offset],
  );
}

export async function countCertifications(
  db: Db,
  chainId: string,
  vendorIds: readonly string[] | null,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from certifications
     where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))`,
    [chainId, vendorIds],
  );
  return rows[0]?.count ?? 0;
}

export function listScenarios(db: Db, chainId: string, certificationId: string): Promise<ScenarioRow[]> {
  return db.query(
    `select scenario_no, name, status, order_id, plan, step_started_at, acted_at, steps from certification_scenarios
     where chain_id = $1 and certification_id = $2 order by scenario_no`,
    [chainId, certificationId],
  );
}

export async function updateScenario(
  tx: Tx,
  chainId: string,
  certificationId: string,
  row: ScenarioRow,
): Promise<void> {
  await tx.query(
    `update certification_scenarios set status = $4, order_id = $5, step_started_at = $6, acted_at = $7, steps = $8
     where chain_id = $1 and certification_id = $2 and scenario_no = $3`,
    [
      chainId,
      certificationId,
      row.scenario_no,
      row.status,
      row.order_id,
      row.step_started_at,
      row.acted_at,
      JSON.stringify(row.steps),
    ],
  );
}

export async function finishCertification(
  tx: Tx,
  chainId: string,
  certificationId: string,
  status: Exclude<CertificationStatus, 'RUNNING'>,
): Promise<void> {
  await tx.query(
    `update certifications set status = $3, finished_at = statement_timestamp()
     where chain_id = $1 and certification_id = $2`,
    [chainId, certificationId, status],
  );
}

export function deleteOldCertifications(tx: Tx, days: number): Promise<number> {
  return countAffected(
    tx,
    `delete from certifications where created_at < now() - make_interval(days => $1) and status <> 'RUNNING'`,
    [days],
  );
}
