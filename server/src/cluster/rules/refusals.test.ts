import assert from 'node:assert/strict';
import test from 'node:test';
import { refuseCluster, refuseNodes, refuseVersion } from './refusals.ts';

const coordinator = { address: 'a:5432', is_coordinator: true, is_active: true, has_shards: false };
const worker = { address: 'b:5432', is_coordinator: false, is_active: true, has_shards: true };
const usable = { isCoordinator: true, nodes: [coordinator, worker] };
const complete = { address: 'b:5432', isReachable: true, missingExtensions: '' };

test('a PostgreSQL without Citus and an old version of Citus are refused', () => {
  assert.match(refuseVersion(undefined) ?? '', /no Citus extension/);
  assert.match(refuseVersion('12.1-1') ?? '', /needs Citus 13 or later; this is version 12\.1-1/);
  assert.equal(refuseVersion('13.2-1'), undefined);
});

test('a cluster with a coordinator and a worker is accepted', () => {
  assert.equal(refuseCluster(usable), undefined);
  assert.equal(refuseNodes(usable.nodes, [complete]), undefined);
});

test('an incomplete cluster is refused with what to do', () => {
  assert.match(refuseCluster({ ...usable, isCoordinator: false }) ?? '', /must refer to the coordinator/);
  assert.match(refuseCluster({ ...usable, nodes: [worker] }) ?? '', /citus_set_coordinator_host/);
  assert.match(refuseCluster({ ...usable, nodes: [coordinator] }) ?? '', /citus_add_node/);
});

test('nodes that cannot be used are refused with what to do', () => {
  const nodes = [coordinator, worker, { ...worker, address: 'c:5432', is_active: false }];
  assert.match(refuseNodes(nodes, []) ?? '', /^These nodes are not active: c:5432\. .*citus_activate_node/);
  const refuse = (facts: object) => refuseNodes(usable.nodes, [{ ...complete, ...facts }]);
  assert.match(refuse({ isReachable: false }) ?? '', /^The coordinator cannot use these nodes: b:5432\./);
  assert.match(refuse({ missingExtensions: 'pg_trgm' }) ?? '', /^Install .* on these nodes: b:5432: pg_trgm\.$/);
});
