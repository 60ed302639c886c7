import { BlockList, isIP } from 'node:net'

/** Addresses that are not the public internet: our own machine and network, metadata services, documentation, tunnels. */
const closed = new BlockList()

const closedRanges: readonly [string, number][] = [
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
  ['224.0.0.0', 3],
]

// Version 6: only what is handed out to networks (2000::/3) is public, and of that not what wraps another address.
const publicRange = new BlockList()
publicRange.addSubnet('2000::', 3, 'ipv6')
for (const [net, prefix] of closedRanges) closed.addSubnet(net, prefix, 'ipv4')
closed.addSubnet('2001::', 23, 'ipv6')
closed.addSubnet('2001:db8::', 32, 'ipv6')
closed.addSubnet('2002::', 16, 'ipv6')
closed.addSubnet('3fff::', 20, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !closed.check(address, 'ipv4')
  return version === 6 && publicRange.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/**
 * Whether we may send to this URL, as far as the text tells: https, no login in it, and no host that is plainly inside.
 * What a name resolves to is checked again when the connection is made. `allow` lists host or host:port that may be
 * reached all the same.
 */
export function mayReach(text: string, allow: readonly string[]): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  if (isAllowed(url, allow)) return url.protocol === 'https:' || url.protocol === 'http:'
  if (url.protocol !== 'https:') return false
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !/\.(localhost|local|internal|localdomain|home\.arpa)$/.test(host)
}

function isAllowed(url: URL, allow: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return allow.some((entry) => entry === url.hostname || entry === `${url.hostname}:${port}`)
}
