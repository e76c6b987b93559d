export { api } from '../../en/api.ts';
export { pick } from '../../en/pick.ts';
export { signIn } from '../../en/sign-in.ts';
