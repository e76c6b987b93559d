export { api } from '../../ar/api.ts';
export { kit } from '../../ar/kit.ts';
export { shell } from '../../ar/shell.ts';
