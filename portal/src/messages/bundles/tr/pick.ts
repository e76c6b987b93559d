export { api } from '../../tr/api.ts';
export { cancelReasons } from '../../tr/cancel-reasons.ts';
export { pick } from '../../tr/pick.ts';
export { signIn } from '../../tr/sign-in.ts';
