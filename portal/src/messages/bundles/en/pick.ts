export { pick } from '../../en/pick.ts';
