import type { Random } from './world/random.ts';

/** How many orders come in each hour of the day, relative to the other hours. A run compresses one day. */
const hourlyDemand = {
  'evening-rush': [5, 4, 3, 3, 3, 4, 6, 8, 9, 9, 9, 10, 12, 12, 10, 10, 11, 13, 16, 18, 17, 14, 10, 7],
  'lunch-rush': [3, 3, 3, 3, 3, 4, 6, 8, 9, 10, 13, 17, 19, 17, 12, 9, 9, 10, 11, 11, 9, 7, 5, 4],
  night: [18, 16, 14, 11, 8, 5, 4, 4, 5, 5, 6, 6, 7, 7, 6, 6, 6, 7, 8, 9, 11, 14, 17, 18],
  steady: Array.from({ length: 24 }, () => 10),
} satisfies Record<string, number[]>;

export type Profile = keyof typeof hourlyDemand;

export const profiles = Object.keys(hourlyDemand) as Profile[];

/** The times of this many orders, in milliseconds after the start, in order. */
export function drawArrivals(random: Random, profile: Profile, count: number, durationMs: number): number[] {
  const demand = hourlyDemand[profile];
  const total = demand.reduce((sum, one) => sum + one, 0);
  let hour = 0;
  let before = 0;
  return Array.from({ length: count }, (_, index) => {
    const share = ((index + random.next()) / count) * total;
    while (share >= before + (demand[hour] ?? 0) && hour < 23) before += demand[hour++] ?? 0;
    return ((hour + (share - before) / (demand[hour] ?? 1)) / 24) * durationMs;
  });
}

/** How much higher the demand is in the busiest hour than on average. */
export function peakFactor(profile: Profile): number {
  const demand = hourlyDemand[profile];
  return (Math.max(...demand) * demand.length) / demand.reduce((sum, one) => sum + one, 0);
}
