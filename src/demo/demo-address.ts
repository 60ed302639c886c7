import { cast, type DemoShop } from './cast.ts'

/**
 * Where the shops and endpoints of a demo are said to be. All there is to know of a demo stands in its code: when it
 * began, to the second, and its seed. So whoever meets an address of it can open the same shop, without asking anybody.
 */
export interface DemoPlace {
  code: string
  seed: string
  beganAt: Date
  /** What comes before the code: a shop of the cast, or something else that is imitated. */
  slug: string
}

const digits = 6

export const demoCode = (beganAt: Date, seed: string): string =>
  Math.floor(beganAt.getTime() / 1000)
    .toString(36)
    .padStart(digits, '0') + seed

export const isDemoSeed = (text: string): boolean => /^[a-z0-9]{1,12}$/.test(text)

/** Names below `.example` lead nowhere, by agreement; a shop of Shopify has to be below its domain. */
export const demoHost = (slug: string, code: string): string => `${slug}.demo-${code}.example`

export const demoShopHost = ({ slug, platform }: Pick<DemoShop, 'slug' | 'platform'>, code: string): string =>
  platform === 'shopify' ? `${slug}-demo-${code}.myshopify.com` : demoHost(slug, code)

export const demoEmail = (name: string, code: string): string => `${name}@demo-${code}.example`

/** Null for any other host. Below Shopify's domain there are real shops, so that only our own names count there. */
export function demoPlace(host: string): DemoPlace | null {
  const [, slug, code = '', domain] =
    /^([a-z-]+)[.-]demo-([a-z0-9]{7,18})[.](example|myshopify[.]com)$/.exec(host) ?? []
  if (slug === undefined) return null
  if (domain !== 'example' && !cast.some((shop) => shop.platform === 'shopify' && shop.slug === slug)) return null
  const beganAt = new Date(Number.parseInt(code.slice(0, digits), 36) * 1000)
  return { code, seed: code.slice(digits), beganAt, slug }
}

export const demoShopAt = ({ slug }: DemoPlace): DemoShop | null => cast.find((shop) => shop.slug === slug) ?? null
