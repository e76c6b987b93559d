export { api } from '../../en/api.ts';
export { kit } from '../../en/kit.ts';
export { shell } from '../../en/shell.ts';
