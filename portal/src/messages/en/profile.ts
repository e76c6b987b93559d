/** The API profile. */
export const profile = {
  'profile.title': 'API profile',
  'profile.about': "How strictly the API validates your chain's requests. You can change it at any time.",
  'profile.ownersOnly': 'Only owners can change the profile.',
  'profile.profile': 'Profile',
  'profile.switchTo': 'Switch to {profile}?',
  'profile.switchText': "The change applies immediately to all of your chain's requests.",
  'profile.switch': 'Switch',
  'profile.switched': 'Switched to {profile}.',
  'profile.strict': 'Strict',
  'profile.strict.about':
    'Follows the specification exactly. Recommended for new integrations, because mistakes surface immediately.',
  'profile.strict.fields': 'Required fields must be present, and a fulfilment must list every item in the order.',
  'profile.strict.single':
    'An update to a single product is applied immediately, and the response contains the product.',
  'profile.strict.dates': 'Date ranges longer than {60} days are rejected.',
  'profile.tolerant': 'Tolerant',
  'profile.tolerant.about':
    'Also accepts nonstandard requests from existing picking devices. Use it for devices you cannot change.',
  'profile.tolerant.items': 'If a fulfilment omits items, item statuses or prices, they are taken from the order.',
  'profile.tolerant.accepted': 'The status ACCEPTED is acknowledged but has no effect.',
  'profile.tolerant.single': 'An update to a single product runs as a job, like larger updates.',
  'profile.tolerant.dates': 'Date ranges longer than {60} days are shortened to the last {60} days.',
} as const;
