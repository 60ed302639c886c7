import { BlockList, isIP } from 'node:net'

/** The one definition of what may be reached from here: addresses, and URLs as far as their text shows. */

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

/** Our own machine and network, metadata services, documentation, tunnels, multicast. */
const closed = new BlockList()
for (const [net, prefix] of closedRanges) closed.addSubnet(net, prefix, 'ipv4')
closed.addSubnet('2001::', 23, 'ipv6')
closed.addSubnet('2001:db8::', 32, 'ipv6')
closed.addSubnet('2002::', 16, 'ipv6')
closed.addSubnet('3fff::', 20, 'ipv6')

// Version 6: only what is handed out to networks is public, so that a range nobody has thought of yet is closed.
const handedOut = new BlockList()
handedOut.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !closed.check(address, 'ipv4')
  // A zone names one of our own network cards.
  if (version !== 6 || address.includes('%')) return false
  const wrapped = wrappedAddress(address)
  if (wrapped !== null) return isPublicAddress(wrapped)
  return handedOut.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/**
 * The version 4 address that this is only another spelling of: mapped (`::ffff:…`), or what a network without version 4
 * answers with (`64:ff9b::…`). Other wrappings (6to4, Teredo, a network's own translation) lead who knows where, and are
 * simply not public.
 */
function wrappedAddress(address: string): string | null {
  const groups = groupsOf(address)
  const prefix = groups.slice(0, 6).join()
  if (prefix !== '0,0,0,0,0,65535' && prefix !== '100,65435,0,0,0,0') return null
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

export const mayReach = (text: string, allow: readonly string[]): boolean => destination(text, allow) !== null

/**
 * Where this URL leads, spelt the one way that everything after this works with; null if we do not go there, as far as
 * the text shows: https, no login in it, no odd port, and no host that is plainly inside. What a name resolves to is
 * checked when the connection is made. `allow` lists host or host:port that may be reached all the same.
 */
export function destination(text: string, allow: readonly string[]): URL | null {
  // The URL parser drops or bends these, so what a person reads is not where it leads.
  if (text.length > 8192 || hasOddCharacters(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  const host = hostOf(url)
  if (host === '' || host.endsWith('.')) return null
  if (isIP(host) === 0) url.hostname = host
  const port = portOf(url)
  if (isAllowed(host, port, allow)) return url
  return url.protocol === 'https:' && isOrdinaryPort(port) && isOutside(host) ? url : null
}

const hasOddCharacters = (text: string) =>
  text.includes('\\') || [...text].some((character) => character <= ' ' || character === '\x7f')

/** As `node:net` wants it: no brackets, no dot at the end. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** Below 1024 live mail, shells, directories and shares, none of which is our business. */
const isOrdinaryPort = (port: number) => port === 443 || port >= 1024

function isOutside(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host)
  return (
    host.length <= 253 &&
    /^([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(host) &&
    !/\.(localhost|local|internal|intranet|localdomain|lan|home|corp|onion|home\.arpa)$/.test(host)
  )
}

/** Whether whoever runs this has named the host, or the host with this port. */
export const isAllowed = (host: string, port: number, allow: readonly string[]): boolean =>
  allow.some((entry) => {
    const allowed = readEntry(entry)
    return allowed?.host === host && (allowed.port === null || allowed.port === port)
  })

/** A host or host:port that can ever match: a name or an address, spelt as URLs spell it or nearly so. */
export function isHostEntry(entry: string): boolean {
  const read = readEntry(entry)
  if (!read || read.host === '' || (read.port !== null && read.port === 0)) return false
  // A number that is no address, as in 10.0.0/8 or 1.2.3: the parser would bend it into one.
  const written = entry.replace(/:\d+$/, '')
  if (isIP(read.host) === 4 && isIP(entry) === 0 && isIP(written) === 0) return false
  return isIP(read.host) !== 0 || /^([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(read.host)
}

function readEntry(entry: string): { host: string; port: number | null } | null {
  const text = isIP(entry) === 6 ? `[${entry}]` : entry
  if (hasOddCharacters(text) || /[/?#@]/.test(text) || !URL.canParse(`https://${text}`)) return null
  const port = /:(\d+)$/.exec(text)?.[1]
  return { host: hostOf(new URL(`https://${text}`)), port: port === undefined ? null : Number(port) }
}
