import type { Links } from '../config.ts';
import type { LinkSigner } from '../kernel/secrets/sign-links.ts';

/** Builds file URLs. Without a signer, downloading a file requires a token. */
export type Downloads = { links: Links; signer?: LinkSigner | undefined };

/** Adds a signature to the URL, so that it works for 15 minutes without a token. */
export function signedUrl(url: string, { links, signer }: Downloads): string {
  if (!signer) return url;
  return `${url}?signature=${signer.sign(url.slice(links.publicUrl.length), Date.now())}`;
}
