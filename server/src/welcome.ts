import { relative } from 'node:path';
import type { Config } from './config.ts';
import { localUrl } from './links.ts';
import type { DemoFile } from './demo/index.ts';

/**
 * The text printed when the server is up, with the server's URLs and a first command to try. `fingerprint` is that of
 * the SFTP server, if it is running.
 */
export function welcome(
  role: string,
  config: Config,
  demo: { file: string; content: DemoFile } | undefined,
  fingerprint: string | undefined,
): string {
  const { links } = config;
  const here = localUrl(config.host, config.port);
  const sftp = fingerprint && `port ${config.sftp.port}, host key ${fingerprint}`;
  if (role === 'worker') return `Aisle worker is running. Health: ${here}/health/ready`;
  if (role === 'sftp') return `Aisle SFTP is running: ${sftp}. Health: ${here}/health/ready`;
  const lines = [
    '',
    '  Aisle is running.',
    '',
    `  API        ${links.api}`,
    `  Docs       ${links.docs}`,
    `  Portal     ${links.portal}`,
    `  Operators  ${links.console}`,
    ...(sftp ? [`  SFTP       ${sftp}`] : []),
    `  Health     ${here}/health/ready`,
  ];
  if (demo) {
    const { content, file } = demo;
    const vendor = content.vendors[0]?.vendor_id;
    lines.push(
      `  Demo       chain ${content.chain_id} with ${content.vendors.length} stores; credentials in ${shownPath(file)}`,
      `  Sign in    ${content.portal.email}, password ${content.portal.password}`,
      `  Operator   ${content.console.email}, password ${content.console.password}`,
      '',
      '  Try it:',
      '',
      `  curl -H 'Authorization: Bearer ${content.api_token}' '${links.api}/chains/${content.chain_id}/vendors/${vendor}/catalog?query_term=milk&page_size=3'`,
    );
  }
  return [...lines, '', '  Press Ctrl-C to stop.', ''].join('\n');
}

function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
