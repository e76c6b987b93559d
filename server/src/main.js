import { enableCompileCache, flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// V8 looks through all objects when memory, including buffers, has grown by half. The objects of this program are small
// (30 MB), and the buffers of a bulk update are large, so that happened several times a second (see decision 0129).
setFlagsFromString('--heap-growing-percent=150');

// Compiling modules takes most of the startup time, so compiled code is cached between starts. This file is JavaScript,
// because for a TypeScript file, Node.js would load its compiler (25 MB) before the cache is enabled.
enableCompileCache();
await import('./program.ts');
// Otherwise, the cache would be lost if the process is killed.
flushCompileCache();

// Gives back the memory that only the start needed (80 MB if it filled the demo chain), which V8 would keep. It takes a
// fifth of a second, so a process that soon ends, such as a command, does without.
setTimeout(() => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}, 10_000).unref();
