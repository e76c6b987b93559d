import { defineCommand } from '../command.ts';
import { checkUrl } from '../config/connection.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import type { Style } from '../terminal/paint.ts';
import { count, wrap } from '../terminal/text.ts';
import { widthOf } from '../terminal/terminal.ts';
import { checkChain } from './check-chain.ts';
import { checkMachine } from './check-machine.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkServer } from './check-server.ts';
import { type Finding, skipped } from './finding.ts';

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check a deployment, with a remedy for each problem',
  details:
    'Checks the server (health, version, clock, certificate), the queues, your credentials, webhooks and jobs. On the server itself it also checks the disk and, if DATABASE_URL is set, the settings of PostgreSQL with psql. The exit code is 1 if there is an error.',
  examples: ['doctor --demo', 'doctor --profile production --json', 'doctor --url https://aisle.example.com'],
  async run(context) {
    const findings = await findAll(context);
    context.show(findings, () => findingsText(context, findings));
    const errors = findings.filter(({ status }) => status === 'error').length;
    if (errors > 0) throw new CliError(`${count(errors, 'error')} found.`);
  },
});

/** Without credentials, the server can still be checked if its address is known. */
async function findAll(context: Context): Promise<Finding[]> {
  const { terminal, options } = context;
  const url = options.url === undefined ? undefined : checkUrl(options.url);
  const connection = url === undefined ? context.connection() : tryConnection(context);
  const address = url ?? connection?.url ?? '';
  const { isReachable, findings } = await checkServer(address, terminal.now, terminal.signal);
  const machine = await checkMachine(terminal);
  if (!isReachable) return [...findings, ...machine];
  const metrics = await checkMetrics(address, terminal.env['AISLE_METRICS_TOKEN']);
  const chain = connection
    ? await checkChain(context.client(), terminal.now())
    : [skipped('credentials', 'there are no credentials for this server', 'Run aisle login.')];
  return [...findings, ...metrics, ...chain, ...machine];
}

function tryConnection(context: Context) {
  try {
    return context.connection();
  } catch {
    return undefined;
  }
}

const marks: Record<Finding['status'], { mark: string; style: Style }> = {
  ok: { mark: '✓', style: 'green' },
  warning: { mark: '!', style: 'yellow' },
  error: { mark: '✗', style: 'red' },
  skipped: { mark: '-', style: 'dim' },
};

function findingsText({ paint, terminal }: Context, findings: readonly Finding[]): string {
  const areaWidth = Math.max(...findings.map(({ area }) => area.length));
  const indent = areaWidth + 4;
  const width = widthOf(terminal.stdout) - indent;
  return findings
    .map(({ area, status, message, remedy }) => {
      const { mark, style } = marks[status];
      const line = `${paint(style, mark)} ${area.padEnd(areaWidth)}  ${wrap(message, width, indent)}`;
      return remedy === undefined ? line : `${line}\n${' '.repeat(indent)}${paint('dim', wrap(remedy, width, indent))}`;
    })
    .join('\n');
}
