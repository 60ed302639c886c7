import { isIPv6 } from 'node:net'

/** One subscriber of IPv6 owns at least a /64, so that is what counts as an address. */
export function addressBlock(address: string): string {
  // Most are plain ones of IPv4, which are told apart by a letter.
  if (!address.includes(':') && !address.includes('%')) return address
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...(tail === undefined ? [] : gap), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
