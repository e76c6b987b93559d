import { enableCompileCache, flushCompileCache } from 'node:module';

// Compiling modules takes most of the startup time, so compiled code is cached between starts. This file is JavaScript,
// because for a TypeScript file, Node.js would load its compiler (25 MB) before the cache is enabled.
enableCompileCache();
await import('./program.ts');
// Otherwise, the cache would be lost if the process is killed.
flushCompileCache();
