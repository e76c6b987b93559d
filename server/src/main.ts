import { enableCompileCache } from 'node:module';

// Compiling the modules takes most of the startup time, so the compiled code is cached between starts.
enableCompileCache();
await import('./program.ts');
