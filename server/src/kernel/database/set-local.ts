/**
 * The statements that change a setting for a transaction, also on the nodes of a distributed database. It passes SET LOCAL
 * on to them, but not `set_config`, and only if it is asked to.
 */
export function setLocal(name: string, value: string): string[] {
  return ["set local citus.propagate_set_commands = 'local'", `set local ${name} = '${value}'`];
}
