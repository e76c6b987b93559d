export { shell } from '../../ar/shell.ts';
