/** Failures without a message from the server. */
export const api = {
  'api.unreachable': 'Cannot reach the server.',
  'api.status': 'The server responded with {status}.',
  'api.connectionLost': 'The connection was lost. Upload the file again.',
  'api.cancelled': 'The upload was cancelled.',
  'api.failed': 'Something went wrong',
} as const;
