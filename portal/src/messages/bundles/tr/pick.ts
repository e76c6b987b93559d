export { api } from '../../tr/api.ts';
export { pick } from '../../tr/pick.ts';
export { signIn } from '../../tr/sign-in.ts';
