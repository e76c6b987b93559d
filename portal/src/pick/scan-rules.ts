import { readDevice, writeDevice } from './device.ts';
import { request } from './request.ts';
import { ownKey } from './session.ts';
import type { EmbeddedRule } from './types.ts';

/** How the chain's scales print barcodes. Kept on the device, so that scanning works without a network. */
export function embeddedRules(): readonly EmbeddedRule[] {
  return (readDevice(ownKey('embedded-barcodes')) as EmbeddedRule[] | undefined) ?? [];
}

export async function loadEmbeddedRules(): Promise<void> {
  const { embedded_barcodes: rules } = await request('getPickingSettings', {});
  writeDevice(ownKey('embedded-barcodes'), rules);
}
