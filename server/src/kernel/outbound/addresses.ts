import { BlockList, isIP } from 'node:net';

/**
 * Checks whether Aisle is allowed to connect to an address that others provide. Every address that is not clearly on
 * the public internet is rejected. An address that a partner configures, or that a configured host name resolves to,
 * must not be in our own network. If an IPv6 address embeds an IPv4 address, the embedded address is checked.
 */
export type AddressGuard = { isAllowed(address: string): boolean };

/** A network such as 10.1.0.0/16. */
export type Network = { address: string; prefix: number };

/** Accepts public addresses, and those in networks that the operator allows. */
export function createGuard(allowedNetworks: readonly Network[]): AddressGuard {
  const allowed = blockList(allowedNetworks);
  return {
    isAllowed(address) {
      const effective = embeddedAddress(address) ?? address;
      const family = isIP(effective);
      if (family === 0) return false;
      return contains(allowed, effective) || (isPublicKind(effective, family) && !contains(internal, effective));
    },
  };
}

/** Parses `loopback`, an address or a network. Undefined if the text is none of these. */
export function parseNetwork(text: string): Network[] | undefined {
  if (text === 'loopback') return [...loopback];
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  const maxPrefix = family === 4 ? 32 : 128;
  const prefix = Number(length ?? maxPrefix);
  return family === 0 || prefix > maxPrefix ? undefined : [{ address, prefix }];
}

/** Returns a function that checks whether an address is in one of the networks. */
export function createMatcher(networks: readonly Network[]): (address: string) => boolean {
  const list = blockList(networks);
  return (address) => isIP(address) !== 0 && contains(list, address);
}

/** The address in its usual notation: without a zone, and an IPv4-mapped IPv6 address as IPv4. */
export function normalizeAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  const groups = groupsOf(bare);
  return isMapped(groups) ? ipv4In(groups) : groups.join(':');
}

/**
 * The unit of all limits per address: an IPv4 address, or the /64 network of an IPv6 address. A single host can use a
 * whole /64, so counting single IPv6 addresses would not limit anyone.
 */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The /48 network that contains a /64 network, which is usually one site. An IPv4 address is its own site. */
export function siteOf(network: string): string {
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network;
}

export const loopback: readonly Network[] = [
  { address: '127.0.0.0', prefix: 8 },
  { address: '::1', prefix: 128 },
];

/** IANA's special-purpose registries, multicast, and addresses where cloud providers serve metadata. */
const internal = blockList(
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '2620:4f:8000::/48',
    '3fff::/20',
  ].flatMap((network) => parseNetwork(network) ?? []),
);

/** In IPv6, only 2000::/3 is public. This excludes loopback, link-local, unique local, site-local and multicast. */
function isPublicKind(address: string, family: number): boolean {
  return family === 4 || contains(globalUnicast, address);
}

const globalUnicast = blockList([{ address: '2000::', prefix: 3 }]);

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

function blockList(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix } of networks) list.addSubnet(address, prefix, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return list;
}

/** The IPv4 address in an IPv4-mapped (::ffff:0:0/96), IPv4-compatible (::/96) or NAT64 (64:ff9b::/96) address. */
function embeddedAddress(address: string): string | undefined {
  if (isIP(address) !== 6 || address.includes('%')) return undefined;
  const groups = groupsOf(address);
  const head = groups.slice(0, 6).join(':');
  const isCompatible = head === '0:0:0:0:0:0' && groups[6] !== '0';
  return isMapped(groups) || head === '64:ff9b:0:0:0:0' || isCompatible ? ipv4In(groups) : undefined;
}

function isMapped(groups: string[]): boolean {
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
}

function ipv4In(groups: string[]): string {
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** All eight groups, with `::` expanded. The URL parser has normalized every other notation. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return tail === undefined ? before : [...before, ...zeros, ...after];
}
