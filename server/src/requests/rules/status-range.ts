/** `404` is from 404 to 404, `4xx` from 400 to 499. */
export function statusRange(text: string): [min: number, max: number] {
  return [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))];
}
