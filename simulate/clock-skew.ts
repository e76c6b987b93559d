/**
 * Loaded with `node --import` before the program: shifts the clock of a process by SIMULATE_CLOCK_SKEW_MS. This works on
 * every platform, unlike libfaketime.
 */
const skewMs = Number(process.env['SIMULATE_CLOCK_SKEW_MS'] ?? 0);
const realNow = Date.now;
const now = () => realNow() + skewMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new Date().toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
