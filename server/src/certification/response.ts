import type { Static } from 'typebox';
import { type Certification, type CertificationReport, scenarioNames } from '@aisle/contract/certification';
import type { Links } from '../config.ts';
import type { CertificationRow, Counts, ScenarioRow, StepResult } from './queries.ts';
import { commentOf } from './rules/plan.ts';
import { scenarios } from './rules/scenarios.ts';
import type { Step } from './rules/steps.ts';

type CountedRow = CertificationRow & Counts;

export function certificationResponse(row: CountedRow, links: Links): Static<typeof Certification> {
  const { passed, failed, skipped, total } = row;
  return {
    certification_id: row.certification_id,
    vendor_id: row.vendor_id,
    status: row.status,
    is_complete: passed + failed === scenarioNames.length,
    passed,
    failed,
    skipped,
    total,
    step_seconds: row.step_seconds,
    started_by: row.started_by,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    report_url: `${links.portal}/certification/${row.certification_id}`,
  };
}

export function certificationReport(
  row: CountedRow,
  rows: ScenarioRow[],
  links: Links,
): Static<typeof CertificationReport> {
  const isRunning = row.status === 'RUNNING';
  return {
    ...certificationResponse(row, links),
    scenarios: rows.map((scenario) => ({
      name: scenario.name,
      title: scenarios[scenario.name].title,
      // A scenario that was not finished when the certification was stopped.
      status: scenario.status === 'RUNNING' && !isRunning ? 'SKIPPED' : scenario.status,
      order_id: scenario.order_id,
      comment: scenario.plan && commentOf(scenario.name, scenario.plan),
      steps: [...scenario.steps, ...openSteps(scenario, isRunning)].map((step, index) => ({
        ...withLink(step, links),
        code: scenarios[scenario.name].steps[index]?.code ?? null,
        actual_code: step.actual_code ?? null,
        actual_values: step.actual_values ?? {},
      })),
    })),
  };
}

/** The steps that have not ended, as the script has them. */
function openSteps({ name, status, steps, step_started_at }: ScenarioRow, isRunning: boolean): StepResult[] {
  const isOpen = isRunning && status === 'RUNNING';
  return scenarios[name].steps.slice(steps.length).map((step, index) => ({
    ...describeStep(step),
    status: isOpen ? (index === 0 ? 'RUNNING' : 'PENDING') : 'SKIPPED',
    actual: null,
    started_at: isOpen && index === 0 ? step_started_at.toISOString() : null,
    finished_at: null,
    request: null,
  }));
}

function describeStep(step: Step): Pick<StepResult, 'title' | 'by' | 'expected' | 'rule' | 'documentation'> {
  const { title } = step;
  if ('act' in step) return { title, by: 'AISLE', expected: null, rule: null, documentation: null };
  return { title, by: 'INTEGRATION', expected: step.expected, rule: step.rule, documentation: step.page };
}

/** Pages are stored without the address of this server, which can change. */
function withLink(step: StepResult, links: Links): StepResult {
  return { ...step, documentation: step.documentation === null ? null : `${links.docs}/${step.documentation}` };
}
