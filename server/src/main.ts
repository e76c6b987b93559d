import { enableCompileCache } from 'node:module';

// Compiling modules takes most of the startup time, so compiled code is cached between starts.
enableCompileCache();
await import('./program.ts');
