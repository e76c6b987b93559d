import type { signIn as english } from '../en/sign-in.ts';
import type { Translation } from '../message.ts';

export const signIn: Translation<keyof typeof english> = {
  'signIn.email': 'Email',
  'signIn.password': 'Κωδικός πρόσβασης',
  'signIn.chain': 'Αλυσίδα',
  'signIn.chainHelp': 'Ανήκετε σε περισσότερες αλυσίδες. Επιλέξτε μία.',
  'signIn.code': 'Κωδικός επαλήθευσης',
  'signIn.codeHelp': 'Από την εφαρμογή ελέγχου ταυτότητας, ή ένας κωδικός ανάκτησης.',
  'signIn.submit': 'Σύνδεση',
  'signIn.wrong': 'Λάθος email ή κωδικός πρόσβασης.',
  'signIn.wrongCode': 'Λάθος κωδικός επαλήθευσης. Χρησιμοποιήστε τον πιο πρόσφατο από την εφαρμογή.',
  'signIn.tooMany': 'Πάρα πολλές προσπάθειες. Περιμένετε λίγο και δοκιμάστε ξανά.',
};
