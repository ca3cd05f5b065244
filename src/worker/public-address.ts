import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 blocks that are not the public internet (IANA special-purpose registry, and multicast). */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Inside global unicast, the blocks that carry an IPv4 address or belong to nobody. */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refusedV4 = blocks(NOT_PUBLIC_V4, 'ipv4')
const refusedV6 = blocks(NOT_PUBLIC_V6, 'ipv6')
const globalUnicast = blocks([['2000::', 3]], 'ipv6')

/**
 * Whether an address is on the public internet. Everything in IPv6 outside global unicast is not: loopback, link-local,
 * unique local, multicast, and IPv4 in its mapped, compatible and translated forms.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedV4.check(address, 'ipv4')
  const [bare = ''] = address.split('%')
  return isIPv6(bare) && globalUnicast.check(bare, 'ipv6') && !refusedV6.check(bare, 'ipv6')
}

function blocks(subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family)
  return list
}
