import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import test, { mock } from 'node:test';
import type { SFTPWrapper } from 'ssh2';
import { serveSession } from './session.ts';

test('a connection does not keep its sessions that have ended', () => {
  const forget = mock.fn();
  const connection = { whenClosed: () => forget, uploads: 0 };
  const sftp = Object.assign(new EventEmitter(), { outgoing: { state: 'closed' }, end() {} });
  const parts = { connection } as unknown as Parameters<typeof serveSession>[1];
  serveSession(sftp as unknown as SFTPWrapper, parts, () => false);
  assert.equal(forget.mock.callCount(), 0);
  sftp.emit('close');
  assert.equal(forget.mock.callCount(), 1);
});
