import assert from 'node:assert/strict';
import test from 'node:test';
import { currentLanguage, loadMessages } from '../messages/language.ts';
import { listLogins, sftpCommand } from './labels.ts';

const key = { key_id: '1', type: 'ssh-ed25519', fingerprint: 'SHA256:x', comment: '', created_at: '' };

await loadMessages('start');
await loadMessages('pages');
const { t } = currentLanguage();

test('the table says how an SFTP user can log in', () => {
  assert.equal(listLogins(t, { password_login: true, public_keys: [] }), 'Password');
  assert.equal(listLogins(t, { password_login: true, public_keys: [key, key] }), 'Password, 2 keys');
  assert.equal(listLogins(t, { password_login: false, public_keys: [key] }), '1 key');
  assert.equal(listLogins(t, { password_login: false, public_keys: [] }), 'Cannot log in yet');
});

test('there is a command to copy only if the SFTP server is enabled', () => {
  const server = { enabled: true, host: 'sftp.aisle.example', port: 2222, host_keys: [] };
  assert.equal(sftpCommand(server, 'pos-k3x9f2'), 'sftp -P 2222 pos-k3x9f2@sftp.aisle.example');
  assert.equal(sftpCommand({ enabled: false, host: null, port: null, host_keys: [] }, 'pos-k3x9f2'), undefined);
});
