import type { Links } from '../config.ts';
import type { LinkSigner } from '../kernel/secrets/sign-links.ts';

/** What the URLs of files are made of. Without a signer, downloading them requires a token. */
export type Downloads = { links: Links; signer?: LinkSigner | undefined };

/** The URL with a signature, so that it works without a token for 15 minutes. */
export function signedUrl(url: string, { links, signer }: Downloads): string {
  if (!signer) return url;
  return `${url}?signature=${signer.sign(url.slice(links.publicUrl.length), Date.now())}`;
}
