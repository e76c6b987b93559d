export { api } from '../../en/api.ts';
export { cancelReasons } from '../../en/cancel-reasons.ts';
export { pick } from '../../en/pick.ts';
export { signIn } from '../../en/sign-in.ts';
