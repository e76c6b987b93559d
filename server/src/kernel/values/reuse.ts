/** Reuses a result for some time. Calls that arrive while it is being produced wait for it. */
export function reuse<Result>(milliseconds: number, produce: () => Promise<Result>): () => Promise<Result> {
  let last: { result: Promise<Result>; endsAt: number } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now >= last.endsAt) last = { result: produce(), endsAt: now + milliseconds };
    return last.result;
  };
}
