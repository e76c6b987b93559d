import { ApiError } from '../api/api-error.ts';
import { problemText } from '../messages/server-text.ts';
import { chunksOf, type NewStore, type StoreProblem, type StoreRow } from './stores-csv.ts';

export type Imported = { created: number; existing: number; total: number; problems: StoreProblem[] };
type Created = { results: { result: 'CREATED' | 'EXISTS' }[] };

const partSize = 100;

/**
 * Sends the stores in parts, one after the other, and reports the progress after each. Rows that the server rejects are
 * left out, so that one mistake does not stop the others.
 */
export async function importStores(
  stores: readonly StoreRow[],
  send: (vendors: NewStore[]) => Promise<Created>,
  onProgress: (imported: Imported) => void,
): Promise<void> {
  const done: Imported = { created: 0, existing: 0, total: stores.length, problems: [] };
  onProgress({ ...done });
  for (const part of chunksOf(stores, partSize)) {
    const { results, problems } = await sendPart(part, send);
    const created = results.filter(({ result }) => result === 'CREATED').length;
    done.created += created;
    done.existing += results.length - created;
    done.problems = [...done.problems, ...problems];
    onProgress({ ...done });
  }
}

async function sendPart(
  part: readonly StoreRow[],
  send: (vendors: NewStore[]) => Promise<Created>,
): Promise<Created & { problems: StoreProblem[] }> {
  if (part.length === 0) return { results: [], problems: [] };
  try {
    return { ...(await send(part.map(({ store }) => store))), problems: [] };
  } catch (error) {
    const problems = problemsOf(error, part);
    if (problems.length === 0) throw error;
    const rejected = new Set(problems.map(({ row }) => row));
    const rest = await sendPart(
      part.filter(({ row }) => !rejected.has(row)),
      send,
    );
    return { results: rest.results, problems: [...problems, ...rest.problems] };
  }
}

/** The rows that the server rejects. It names them by their position in the request. */
function problemsOf(error: unknown, part: readonly StoreRow[]): StoreProblem[] {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return errors.flatMap(({ pointer, code, message }): StoreProblem[] => {
    const [, index, field = ''] = /^\/vendors\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? [];
    const row = part[Number(index)]?.row;
    return row === undefined ? [] : [{ row, problem: 'rejected', value: `${field}: ${problemText(code, message)}` }];
  });
}
