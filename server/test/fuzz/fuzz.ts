import { attack, type Round, startRound } from './round.ts';
import { sequences } from './sequences.ts';

export type Fuzz = {
  seed: number;
  /** Stops after this many requests. */
  requests: number;
  /** Runs only this round. */
  only?: number | undefined;
  onProgress?: (requests: number) => void;
};

export type FuzzReport = { requests: number; rounds: number; operations: Map<string, Counts> };
export type Counts = { calls: number; successes: number };

/** Runs rounds until enough requests have been sent, several at the same time, each on its own chain. */
export async function runFuzz({ seed, requests, only, onProgress = () => {} }: Fuzz): Promise<FuzzReport> {
  const report: FuzzReport = { requests: 0, rounds: 0, operations: new Map() };
  const onResponse = (id: string, status: number) => {
    const counts = report.operations.get(id) ?? { calls: 0, successes: 0 };
    report.operations.set(id, counts);
    counts.calls++;
    if (status < 300) counts.successes++;
    onProgress(++report.requests);
  };
  if (only !== undefined) {
    await playRound(seed, only, onResponse);
    return { ...report, rounds: 1 };
  }
  let hasFailed = false;
  const lane = async () => {
    while (report.requests < requests && !hasFailed) await playRound(seed, report.rounds++, onResponse);
  };
  const playing = Array.from({ length: lanes }, lane);
  await Promise.all(playing).catch(async (error: unknown) => {
    hasFailed = true;
    await Promise.allSettled(playing);
    throw error;
  });
  return report;
}

const lanes = 6;

async function playRound(seed: number, number: number, onResponse: Round['onResponse']): Promise<void> {
  const round = await startRound(seed, number, onResponse);
  try {
    await sequences[number % sequences.length]?.(round);
    for (let count = 0; count < 20; count++) await attack(round);
  } catch (error) {
    const transcript = round.transcript.slice(-12).join('\n');
    const replay = `npm run fuzz -- --seed ${seed} --round ${number}`;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}\n\nThe last requests:\n${transcript}\n\nRepeat with: ${replay}`, { cause: error });
  }
}
