/** `404` means from 404 to 404, and `4xx` means from 400 to 499. */
export function statusRange(text: string): [min: number, max: number] {
  return [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))];
}
