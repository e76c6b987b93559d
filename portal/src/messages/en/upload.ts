/** Uploading a file. */
export const upload = {
  'upload.title': 'Upload file',
  'upload.about':
    'Upload a CSV file. Prices and stock are shown as a preview first. Rows that cannot be applied are reported, and the others are applied.',
  'upload.allFiles': 'All files',
  'upload.readOnly': 'You have read-only access. Only managers and owners can upload files.',
  'upload.notUploaded': '{name} was not uploaded',
  'upload.tooLarge': 'A file can have up to {size}. Compress it, or split it into several files.',
  'upload.preview': 'Preview changes',
  'upload.upload': 'Upload',
  'upload.chooseAnother': 'Choose another file',
  'upload.contains': 'What does the file contain?',
  'upload.applyTo': 'Apply to',
  'upload.allStores': { one: 'All stores (1)', other: 'All stores ({count})' },
  'upload.progress': 'Upload progress',
  'upload.uploaded': '{percent} uploaded',
  'upload.waiting': 'Uploaded. Waiting for the server…',
} as const;
