/**
 * An array parameter, such as `$3::text[]`, whose length the planner does not see. Use it in statements that are executed
 * often with few values.
 *
 * PostgreSQL keeps the plan of a prepared statement only if planning again with the values does not promise a cheaper
 * one. It assumes ten values in an array that it does not know, so with fewer, it plans each time, which can take longer
 * than the execution (decision 0125).
 */
export function opaque(parameter: `$${number}::${string}[]`): string {
  const type = parameter.slice(parameter.indexOf('::'));
  return `(select ${parameter})${type}`;
}
