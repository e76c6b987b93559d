export { api } from '../../en/api.ts';
export { pick } from '../../en/pick.ts';
