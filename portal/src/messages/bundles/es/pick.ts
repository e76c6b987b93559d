export { api } from '../../es/api.ts';
export { pick } from '../../es/pick.ts';
export { signIn } from '../../es/sign-in.ts';
