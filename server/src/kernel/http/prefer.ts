/** Whether the client asks for a job instead of an immediate result (RFC 7240). */
export function prefersAsync(headers: Record<string, string | string[] | undefined>): boolean {
  const preferences = [headers['prefer'] ?? []].flat().join(',').toLowerCase().split(/[,;]/);
  return preferences.some((preference) => preference.trim() === 'respond-async');
}
