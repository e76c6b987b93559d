export { pick } from '../../ar/pick.ts';
