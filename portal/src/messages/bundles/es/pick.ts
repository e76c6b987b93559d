export { api } from '../../es/api.ts';
export { cancelReasons } from '../../es/cancel-reasons.ts';
export { pick } from '../../es/pick.ts';
export { signIn } from '../../es/sign-in.ts';
