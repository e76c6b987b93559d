import { enableCompileCache } from 'node:module';

// Loading the program is most of a second start: what was compiled is kept between starts.
enableCompileCache();
await import('./program.ts');
