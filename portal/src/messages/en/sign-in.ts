/** The sign-in form, in the portal and in the picking app. */
export const signIn = {
  'signIn.email': 'Email',
  'signIn.password': 'Password',
  'signIn.chain': 'Chain',
  'signIn.chainHelp': 'You belong to several chains. Choose one.',
  'signIn.code': 'Code',
  'signIn.codeHelp': 'From your authenticator app, or a recovery code.',
  'signIn.submit': 'Sign in',
  'signIn.wrong': 'Wrong email or password.',
  'signIn.wrongCode': 'Wrong code. Use the newest one from your authenticator app.',
  'signIn.tooMany': 'Too many attempts. Wait a moment and try again.',
} as const;
