import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './launch.ts';

type Addresses = { folder: string; port: number; upstreams: readonly [number, number] };

/** Writes a sample configuration of nginx or haproxy with the addresses of a test, and returns its file. */
export function configureSample(sample: string, { folder, port, upstreams }: Addresses): string {
  const text = readFileSync(join(root, sample), 'utf8')
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${upstreams[0]}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${upstreams[1]}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll('/tmp/nginx', join(folder, 'nginx'));
  const file = join(folder, sample.split('/').at(-1) ?? '');
  writeFileSync(file, text);
  return file;
}
