export { serveDemoPictures } from './pictures.ts';
export { type DemoFile, seedDemo } from './seed.ts';
