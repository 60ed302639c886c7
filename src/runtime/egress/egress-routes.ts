import { isIP } from 'node:net'

/**
 * Which hosts are found at which origin of this machine: `api.ebay.com` at `http://127.0.0.1:4001`. `*.myshopify.com` is
 * every host below that domain.
 */
export type EgressRoutes = ReadonlyMap<string, string>

/** One entry of `EGRESS_ROUTE`; null for anything but a host and an origin on the loopback interface. */
export function readEgressRoute(entry: string): readonly [host: string, origin: string] | null {
  const [host = '', target = '', ...rest] = entry.split('=')
  const origin = URL.parse(target)
  if (rest.length > 0 || !origin || !/^(\*\.)?([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(host)) return null
  const isBare = origin.pathname === '/' && origin.search === '' && origin.hash === '' && origin.username === ''
  return origin.protocol === 'http:' && isBare && isLoopback(origin.hostname) ? [host, origin.origin] : null
}

const isLoopback = (hostname: string) => hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

export const routeOf = (host: string, routes: EgressRoutes | undefined): string | undefined =>
  routes?.get(host) ?? routes?.get(host.replace(/^[^.]+/, '*'))

/** Where somebody's browser finds an address: at the same place as we do, with the name of the host in the path. */
export function routedAddress(address: string, routes: EgressRoutes | undefined): string {
  const { host, pathname, search, hash } = new URL(address)
  const origin = routeOf(host, routes)
  return origin === undefined ? address : `${origin}/_host/${host}${pathname}${search}${hash}`
}
