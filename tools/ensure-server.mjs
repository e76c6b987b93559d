// Runs before `npm start`, tests and benchmarks. Bundles the server if its sources or the packages have changed since the
// last build: loading a few files instead of two thousand takes a third of the time and of the memory (see
// docs/decisions/0121). Plain JavaScript that runs on Node 20 and later. The build runs on the installed Node 24.
import { join } from 'node:path';
import { ensureBuilt, root, runNode } from './ensure-built.mjs';

ensureBuilt({
  name: 'the server',
  built: join(root, 'server', 'dist'),
  sources: [
    'server/src',
    'server/package.json',
    'contract/src',
    'demo/src',
    'tools/bundle-server.ts',
    'package-lock.json',
  ],
  keepsPrevious: true,
  build: (folder) => runNode(join(root, 'tools', 'bundle-server.ts'), folder),
});
