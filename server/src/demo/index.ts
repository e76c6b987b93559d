export { serveDemoPictures } from './pictures.ts';
export { type DemoFile, demoChainId, seedDemo } from './seed.ts';
