export { api } from '../../el/api.ts';
export { cancelReasons } from '../../el/cancel-reasons.ts';
export { pick } from '../../el/pick.ts';
export { signIn } from '../../el/sign-in.ts';
