import type { signIn as english } from '../en/sign-in.ts';
import type { Translation } from '../message.ts';

export const signIn: Translation<keyof typeof english> = {
  'signIn.email': 'Correo electrónico',
  'signIn.password': 'Contraseña',
  'signIn.chain': 'Cadena',
  'signIn.chainHelp': 'Perteneces a varias cadenas. Elige una.',
  'signIn.code': 'Código',
  'signIn.codeHelp': 'De tu aplicación de autenticación, o un código de recuperación.',
  'signIn.submit': 'Iniciar sesión',
  'signIn.wrong': 'El correo o la contraseña no son correctos.',
  'signIn.wrongCode': 'Código incorrecto. Usa el más reciente de tu aplicación de autenticación.',
  'signIn.tooMany': 'Demasiados intentos. Espera un momento y vuelve a intentarlo.',
};
