import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { Failure } from '../failures/failure.ts';
import { isNodeFailure, isUniqueViolation, translateError } from './errors.ts';

test('a unique violation is recognized by its constraint, with or without the number of a shard', () => {
  const violation = (constraint: string, code = '23505') =>
    Object.assign(new Error('duplicate key'), { code, constraint });
  assert.ok(isUniqueViolation(violation('vendors_external_id'), 'vendors_external_id'));
  assert.ok(isUniqueViolation(violation('vendors_external_id_102008'), 'vendors_external_id'));
  assert.ok(!isUniqueViolation(violation('vendors_pkey_102008'), 'vendors_external_id'));
  assert.ok(!isUniqueViolation(violation('vendors_external_id', '23503'), 'vendors_external_id'));
  assert.ok(!isUniqueViolation(new Error('other'), 'vendors_external_id'));
});

test('errors of a node that cannot be reached are told from those of a statement on it', () => {
  const refused = 'connection to the remote node postgres@10.0.0.2:5432 failed with the following error: refused';
  const on = 'while executing command on 10.0.0.2:5432';
  const away = [
    errorOf('08006', refused),
    errorOf('08006', 'failure on connection marked as essential: 10.0.0.2:5432'),
    errorOf('08006', 'connection establishment for node 10.0.0.2:5432 failed'),
    errorOf('08006', 'could not establish any connections to the node 10.0.0.2:5432 after 2000 ms'),
    errorOf('XX000', 'execution cannot recover from multiple connection failures. Last node failed 10.0.0.2:5432'),
    errorOf('XX000', "failed to prepare transaction 'citus_0_1_2_3' on host 10.0.0.2:5432"),
    errorOf('XX000', 'could not commit transaction for shard 102008 on any active node'),
    errorOf('XX000', 'failed to COPY to shard 0 on 10.0.0.2:5432'),
    errorOf('XX000', 'failed to complete COPY on 10.0.0.2:5432'),
    errorOf('XX000', 'SSL SYSCALL error: EOF detected\ninvalid socket', on),
    errorOf('XX000', 'server closed the connection unexpectedly', on),
    errorOf('57P01', 'terminating connection due to administrator command', on),
    errorOf('57P03', 'the database system is starting up', on),
  ];
  for (const error of away) {
    assert.ok(isNodeFailure(error), error.message);
    const failure = translateError(error);
    assert.ok(failure instanceof Failure && failure.code === 'service_unavailable');
  }
  const own = [
    errorOf('23505', 'duplicate key value violates unique constraint "server closed the connection"', on),
    errorOf('42P01', 'relation "the database system is" does not exist', on),
    errorOf('57P01', 'terminating connection due to administrator command'),
    errorOf('XX000', 'could not find the shard', on),
  ];
  for (const error of own) assert.ok(!isNodeFailure(error), error.message);
});

function errorOf(code: string, message: string, where?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, where });
}
