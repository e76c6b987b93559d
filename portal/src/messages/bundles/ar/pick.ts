export { api } from '../../ar/api.ts';
export { cancelReasons } from '../../ar/cancel-reasons.ts';
export { pick } from '../../ar/pick.ts';
export { signIn } from '../../ar/sign-in.ts';
