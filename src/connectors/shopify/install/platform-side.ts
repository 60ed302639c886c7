import type { PlatformCall, PlatformSide } from '../../../commerce/connector/auth.ts'
import { timeOfUnix } from '../../../commerce/reading.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import { isSigned } from '../../../lib/hmac.ts'
import { type Credentials, shopPattern } from '../settings.ts'

/** The app's own address, which Shopify opens when it is installed or opened; everything else is told by messages. */
export const platformSide: PlatformSide<Credentials> = {
  readCall,
  isGranted: ({ typed }) => typed !== true,
}

/** As much as Shopify's own libraries allow. */
const leewaySeconds = 90

function readCall({ kind, query, seconds }: PlatformCall, client: AnyFields) {
  const { shop = '', timestamp = '' } = query
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : null
  const isGenuine = shopPattern.test(shop) && isFromShopify(query, client)
  if (kind !== 'open' || !isGenuine || at === null || Math.abs(seconds - at) > leewaySeconds) return null
  return { shop, at: timeOfUnix(at) }
}

/** Signed over everything but the signature, in the order of the names. */
export function isFromShopify(
  { hmac: signature = '', signature: _, ...rest }: Readonly<Record<string, string>>,
  { client_secret: secret }: AnyFields,
): boolean {
  const message = Object.entries(rest)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return isSigned(message, { secret: String(secret ?? ''), signature, encoding: 'hex' })
}
