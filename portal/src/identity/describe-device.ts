import type { Translate } from '../messages/catalogue.ts';

/** The device of a session in the language of the portal. The API describes it in English, as in "Chrome on Windows". */
export function describeDevice(t: Translate, device: string | null): string {
  if (device === null) return t('sessions.unknownDevice');
  const [browser = device, system] = device.split(' on ');
  return system === undefined ? browser : t('sessions.browserOn', { browser, system });
}
