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
  'upload.allStores': { one: 'All stores ({count})', other: 'All stores ({count})' },
  'upload.progress': 'Upload progress',
  'upload.uploaded': '{percent} uploaded',
  'upload.waiting': 'Uploaded. Waiting for the server…',
  'upload.columns': 'Columns',
  'upload.template': 'Download template',
  'upload.columnsHelp':
    'The first row has the names of the columns, in any order. See {guide} for other accepted names, encodings and number formats.',
  'upload.guide': 'the guide',
  'upload.required': 'required',
  'upload.drop': 'Drop a CSV file here, or',
  'upload.csvFile': 'CSV file',
  'upload.choose': 'Choose file',
  'upload.compressed': 'The file can be compressed: .csv.gz, or a .zip with one file.',
} as const;
