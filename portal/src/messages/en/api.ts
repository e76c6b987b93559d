/** Failures without a message from the server, and errors of the API that can occur on every page. */
export const api = {
  'api.unreachable': 'Cannot reach the server.',
  'api.status': 'The server responded with {status}.',
  'api.connectionLost': 'The connection was lost. Upload the file again.',
  'api.cancelled': 'The upload was cancelled.',
  'api.failed': 'Something went wrong',
  'error.rate_limited': 'Too many requests. Wait a moment and try again.',
  'error.internal_error': 'The server failed. Try again. If it keeps failing, contact your platform administrator.',
  'error.service_unavailable': 'The service is temporarily unavailable. Try again in a moment.',
  'error.forbidden': '{detail}',
} as const;
