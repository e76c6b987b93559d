import type { Rule } from './check-statement.ts';

/** A function whose statement deliberately breaks a rule, with the reason. */
export type Exception = { place: string; rules: Rule[]; why: string };

export const exceptions: Exception[] = [];
