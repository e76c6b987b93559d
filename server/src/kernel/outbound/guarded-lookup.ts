import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressGuard } from './addresses.ts';
import { NameError, RejectedAddressError } from './results.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (name: string) => Promise<string[]>;

export function guardedLookup(guard: AddressGuard, resolve: Resolve = resolveName): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const rejectedAddress = addresses.find((address) => !guard.isAllowed(address));
        if (rejectedAddress !== undefined) {
          return callback(
            new RejectedAddressError(`${name} has the address ${rejectedAddress}, which is not public`),
            '',
          );
        }
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (!first) return callback(new NameError(`${name} has no address`), '');
        return options.all ? callback(null, found) : callback(null, first.address, first.family);
      },
      (error: Error) => callback(new NameError(`${name}: ${error.message}`), ''),
    );
  };
}

/**
 * Queries the name servers directly. If a name server did not respond, `dns.lookup` would block one of libuv's few
 * threads and so delay all other requests.
 */
async function resolveName(name: string): Promise<string[]> {
  if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1'];
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (found.length === 0 && failure) throw failure.reason;
  return found;
}

const resolver = new Resolver({ timeout: 2000, tries: 2 });
