/** Choosing a password: after an invitation, on the account page, or because another person set it. */
export const password = {
  'password.change': 'Change password',
  'password.signsOut': 'You stay signed in here and are signed out everywhere else.',
  'password.current': 'Current password',
  'password.enterCurrent': 'Enter your current password',
  'password.new': 'New password',
  'password.again': 'Confirm new password',
  'password.rules': 'At least {min} characters. Several unrelated words make a good password.',
  'password.tooShort': 'At least {min} characters',
  'password.mismatch': 'Passwords do not match',
  'password.changed': 'Password changed. You are signed out everywhere else.',
  'password.requiredTitle': 'Choose a new password',
  'password.required': 'Another person set your password. Choose your own to continue.',
} as const;
