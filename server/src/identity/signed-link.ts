import type { Route } from '@aisle/contract/route';
import { Expired, Failure } from '../kernel/failures/failure.ts';
import type { LinkSigner } from '../kernel/secrets/sign-links.ts';

/** Identifies a caller that uses a signed link, which gives access only to this route with these path parameters. */
export function identifyLink(
  signer: LinkSigner,
  route: Route,
  params: Record<string, string>,
  signature: unknown,
  now: number,
) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]?.toLowerCase() ?? '');
  const result = typeof signature === 'string' ? signer.check(path, signature, now) : 'invalid';
  if (result !== 'valid') throw rejected(result);
  const chainId = params['chain_id']?.toLowerCase() ?? '';
  return {
    kind: 'link' as const,
    id: path,
    subject: `link ${chainId}`,
    owner: chainId,
    reach: `link ${path}`,
    group: chainGroup(chainId),
    chainId,
    scopes: [route.access],
    name: '',
    vendorIds: null,
    expiresAt: null,
    logged: { actor: 'link', chain_id: chainId },
  };
}

/** The chain's tokens, clients and signed links share a limit, so that more credentials do not mean more requests. */
export function chainGroup(chainId: string) {
  return { subject: `chain ${chainId}`, name: 'tokens and clients' };
}

function rejected(result: 'expired' | 'invalid'): Failure {
  const [Kind, problem] =
    result === 'expired' ? [Expired, 'The link has expired'] : [Failure, 'The signature does not match the link'];
  return new Kind('invalid_signature', `${problem}; read the job again to get a new link, or send a token.`);
}
