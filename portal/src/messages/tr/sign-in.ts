import type { signIn as english } from '../en/sign-in.ts';
import type { Translation } from '../message.ts';

export const signIn: Translation<keyof typeof english> = {
  'signIn.email': 'E-posta',
  'signIn.password': 'Şifre',
  'signIn.chain': 'Zincir',
  'signIn.chainHelp': 'Birden fazla zincire bağlısınız. Birini seçin.',
  'signIn.code': 'Kod',
  'signIn.codeHelp': 'Kimlik doğrulama uygulamanızdaki kod veya bir kurtarma kodu.',
  'signIn.submit': 'Oturum aç',
  'signIn.wrong': 'E-posta veya şifre yanlış.',
  'signIn.wrongCode': 'Kod yanlış. Kimlik doğrulama uygulamanızdaki en yeni kodu girin.',
  'signIn.tooMany': 'Çok fazla deneme yapıldı. Biraz bekleyip yeniden deneyin.',
};
