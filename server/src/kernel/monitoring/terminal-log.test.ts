import assert from 'node:assert/strict';
import test from 'node:test';
import { createServerLog } from './terminal-log.ts';

/** A log in a terminal, without colors by default. */
function openTerminal(level: string, environment: NodeJS.ProcessEnv = { NO_COLOR: '1' }) {
  const lines: string[] = [];
  const log = createServerLog(level, { isTTY: true, write: (text) => lines.push(text) }, environment);
  return { lines, log };
}

test('a terminal shows an event on one short line, without requests', () => {
  const { lines, log } = openTerminal('info');
  log.info({ event: 'request', status: 200 });
  log.warn({ event: 'endpoint.failing', status: 500, url: 'https://example.test', list: [1, 2] });
  assert.equal(lines.length, 1);
  const expected = /^\d\d:\d\d:\d\d warn {2}endpoint.failing status=500 url=https:\/\/example.test list=\[1,2\]\n$/;
  assert.match(lines[0] ?? '', expected);
});

test('a terminal shows requests with the level debug', () => {
  const { lines, log } = openTerminal('debug');
  log.info({ event: 'request', status: 200 });
  assert.match(lines[0] ?? '', /info {2}request status=200/);
});

test('a terminal shows the stack trace of an error, and shortens long values', () => {
  const { lines, log } = openTerminal('info');
  log.error({ event: 'crash', err: new Error('it broke') });
  assert.match(lines[0] ?? '', /Error: it broke\n\s+at /);
  log.info({ event: 'long', text: 'x'.repeat(1000) });
  assert.ok((lines[1] ?? '').length < 300);
});

test('control characters in values do not reach the terminal', () => {
  const { lines, log } = openTerminal('info');
  log.warn({
    event: 'sftp.refused',
    detail: 'There is no /\u001b[2J\u009b1m.',
    err: new Error('bad \u001b]0;x\u0007'),
  });
  assert.match(lines[0] ?? '', /detail=There is no \/\?\[2J\?1m\. err=\nError: bad \?\]0;x\?\n\s+at /);
});

test('secrets are redacted in a terminal too', () => {
  const { lines, log } = openTerminal('info');
  log.info({ event: 'made', token: 'aisle_test_secret' });
  assert.match(lines[0] ?? '', /token=\[redacted\]/);
});

for (const [name, environment, isColored] of [
  ['without NO_COLOR', {}, true],
  ['with an empty NO_COLOR', { NO_COLOR: '' }, true],
  ['with NO_COLOR', { NO_COLOR: '1' }, false],
  ['in a terminal without colors', { TERM: 'dumb' }, false],
] as const) {
  test(`the level is ${isColored ? 'colored' : 'not colored'} ${name}`, () => {
    const { lines, log } = openTerminal('info', environment);
    log.warn({ event: 'one' });
    assert.equal(lines[0]?.includes('\u001b[33mwarn'), isColored);
  });
}
