/**
 * A bare host name: labels with dots between, the last one beginning with a letter, so that no notation of an address
 * in numbers passes for a name. No scheme, user, port or path.
 */
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
export const shopPattern = `^(?:${label}\\.)*[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`

export interface ShopAddress {
  shop: string
  /** The whole of it, where the host alone does not say it. */
  beyond: string | null
  hasPort: boolean
}

/** Pages that people are on when they copy the address. */
const adminPage = /\/(?:wp-admin|wp-login\.php|wp-json|admin[\w-]*|index\.php|manage|dashboard)(?:\/.*)?$/i

/**
 * The address of a shop as people paste it: with scheme, path, slash, capitals or spaces around it, of its own pages or,
 * where `shopOfPage` knows them, of the platform's. Whatever is no address stays as it was typed, for others to judge.
 */
export function shopAddress(typed: string, shopOfPage?: (page: URL) => string | null): ShopAddress {
  const text = typed.trim()
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (url?.username !== '' || text === '' || /\s/.test(text)) return { shop: text, beyond: null, hasPort: false }
  const elsewhere = shopOfPage?.(url) ?? null
  if (elsewhere !== null) return shopAddress(elsewhere)
  const path = url.pathname.replace(adminPage, '').replace(/\/+$/, '')
  const isPlain = path === '' && url.port === '' && url.protocol === 'https:'
  return { shop: url.hostname, beyond: isPlain ? null : `${url.origin}${path}`, hasPort: url.port !== '' }
}

/** Pages lie below their shop: addresses ever closer to the host, for as long as there is a path. */
export function above(address: string): string | null {
  const { origin, pathname } = new URL(address)
  const path = pathname.replace(/\/+$/, '')
  return path === '' ? null : `${origin}${path.slice(0, path.lastIndexOf('/'))}`
}
