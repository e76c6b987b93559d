import type { api as english } from '../en/api.ts';
import type { Translation } from '../message.ts';

export const api: Translation<keyof typeof english> = {
  'api.unreachable': 'Δεν είναι δυνατή η σύνδεση με τον διακομιστή.',
  'api.status': 'Ο διακομιστής απάντησε με την κατάσταση {status}.',
  'api.connectionLost': 'Η σύνδεση χάθηκε. Ανεβάστε ξανά το αρχείο.',
  'api.cancelled': 'Η μεταφόρτωση ακυρώθηκε.',
  'api.failed': 'Κάτι πήγε στραβά',
  'error.rate_limited': 'Πάρα πολλά αιτήματα. Περιμένετε λίγο και δοκιμάστε ξανά.',
  'error.internal_error':
    'Παρουσιάστηκε σφάλμα στον διακομιστή. Δοκιμάστε ξανά. Αν επιμένει, επικοινωνήστε με τον διαχειριστή της πλατφόρμας.',
  'error.service_unavailable': 'Η υπηρεσία δεν είναι διαθέσιμη αυτή τη στιγμή. Δοκιμάστε ξανά σε λίγο.',
  'error.forbidden': 'Δεν έχετε δικαίωμα για αυτή την ενέργεια: {detail}',
};
