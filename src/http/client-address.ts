/**
 * Tells which client a request comes from, so that no client takes more than its share.
 *
 * A client is an IPv4 address, or the /64 of an IPv6 address, since one customer has all of that. It is the peer of the
 * connection; behind proxies that are trusted by name, it is the last address in `x-forwarded-for` that none of them has.
 * Everything to the left of that one was written by the client itself and is never believed.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0xffff];

/** The eight groups of the IPv6 address `text`, which must be one. */
function groupsOf(text: string): number[] {
  const [left = '', right] = text.split('::');
  const parse = (half: string): number[] =>
    half === ''
      ? []
      : half.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [(a << 8) | b, (c << 8) | d];
        });
  const head = parse(left);
  const tail = right === undefined ? [] : parse(right);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function isMapped(groups: readonly number[]): boolean {
  return MAPPED_PREFIX.every((group, index) => groups[index] === group);
}

const dotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/** Returns the client that `groups`, an IPv6 address, stands for. */
function keyOfGroups(groups: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0, , , high = 0, low = 0] = groups;
  if (isMapped(groups)) return dotted(high, low);
  return `${[a, b, c, d].map((group) => group.toString(16)).join(':')}::/64`;
}

/** Returns the address in `text`, an entry of `x-forwarded-for`, without port, brackets and zone; '' when it is none. */
function addressIn(text: string): string {
  const trimmed = text.trim();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return '';
  const groups = groupsOf(address);
  return isMapped(groups) ? dotted(groups[6] as number, groups[7] as number) : address;
}

/** Returns the client of `address`, an IPv4 or IPv6 address in text. */
function keyOfText(address: string): string {
  return isIPv4(address) ? address : keyOfGroups(groupsOf(address));
}

/** Returns the text of `peer`, the 4 or 16 bytes of an address. An IPv4 address within an IPv6 one counts as itself. */
function textOfPeer(peer: Uint8Array): string {
  if (peer.length === 4) return peer.join('.');
  const groups: number[] = [];
  for (let index = 0; index < 16; index += 2) groups.push(((peer[index] ?? 0) << 8) | (peer[index + 1] ?? 0));
  if (isMapped(groups)) return dotted(groups[6] as number, groups[7] as number);
  return groups.map((group) => group.toString(16)).join(':');
}

/** True when `text` is an address, or an address with the bits of its network: `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (isIPv4(address)) return bits === undefined || Number(bits) <= 32;
  return isIPv6(address) && !address.includes('%') && (bits === undefined || Number(bits) <= 128);
}

export class ClientAddresses {
  /** False: `x-forwarded-for` is of no meaning, and need not be read. */
  readonly readsForwarded: boolean;
  readonly #trusted = new BlockList();

  /** `trustedProxies`: networks as isNetwork() knows them. */
  constructor(trustedProxies: readonly string[]) {
    this.readsForwarded = trustedProxies.length > 0;
    for (const network of trustedProxies) {
      const [address = '', bits] = network.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /**
   * Returns the client of a request that came from `peer` (4 or 16 bytes; none: '') with all its `x-forwarded-for` joined
   * by commas. A list that ends in something else than an address is the peer's doing, and counts as the peer.
   */
  keyOf(peer: Uint8Array, forwardedFor: string): string {
    if (peer.length !== 4 && peer.length !== 16) return '';
    let client = textOfPeer(peer);
    if (this.readsForwarded && forwardedFor !== '') {
      const hops = forwardedFor.split(',');
      while (this.#isTrusted(client)) {
        const hop = hops.pop();
        const address = hop === undefined ? '' : addressIn(hop);
        if (address === '') break;
        client = address;
      }
    }
    return keyOfText(client);
  }

  #isTrusted(address: string): boolean {
    return this.#trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}
