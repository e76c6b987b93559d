/**
 * Finds the connection that makes room for a new one when too many clients have not logged in: the oldest one from the
 * network that has the most. Undefined if the new connection's network has just as many. Without this rule, silent
 * connections from a few addresses could keep all users out. `waiting` is sorted by age.
 */
export function findDisplaced<Waiting extends { network: string }>(
  waiting: readonly Waiting[],
  network: string,
): Waiting | undefined {
  const byNetwork = Map.groupBy(waiting, (connection) => connection.network);
  const [most = []] = [...byNetwork.values()].toSorted((a, b) => b.length - a.length);
  return most.length > (byNetwork.get(network)?.length ?? 0) ? most[0] : undefined;
}
