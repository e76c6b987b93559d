/** RFC 7240: whether the client asks for a job instead of an immediate result. */
export function prefersAsync(headers: Record<string, string | string[] | undefined>): boolean {
  const preferences = [headers['prefer'] ?? []].flat().join(',').toLowerCase().split(/[,;]/);
  return preferences.some((preference) => preference.trim() === 'respond-async');
}
