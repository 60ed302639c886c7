import type { PlatformCall, PlatformSide } from '../../../commerce/connector/auth.ts'
import { timeOfUnix } from '../../../commerce/reading.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import { claimsIn } from '../../../lib/signed-token.ts'
import { type Credentials, shopOf } from '../settings.ts'

/** The control panel shows apps in a frame of its own. */
export const platformSide: PlatformSide<Credentials> = {
  readCall,
  shopOfCode: ({ context }) => shopOf(context),
  isGranted: ({ typed }) => typed !== true,
  callbackUrl: ({ auth_callback_url: url }) => (typeof url === 'string' ? url : null),
  frames: ['https://*.mybigcommerce.com', 'https://*.bigcommerce.com'],
}

/** Clocks differ by so much. */
const leewaySeconds = 60

/** All calls carry the same claims, and are good for a day: which of them it is, is the address that they came to. */
function readCall({ query, seconds }: PlatformCall, { client_id: id, client_secret: secret }: AnyFields) {
  const claims = claimsIn(query['signed_payload_jwt'], typeof secret === 'string' ? secret : '') ?? {}
  const { aud, iss, sub, iat, nbf, exp } = claims
  const isOurs = iss === 'bc' && typeof id === 'string' && aud === id
  const isNow =
    isTime(iat) && isTime(nbf) && isTime(exp) && Math.max(iat, nbf) <= seconds + leewaySeconds && exp > seconds
  const shop = shopOf(sub)
  return isOurs && isNow && shop !== null ? { shop, at: timeOfUnix(iat) } : null
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value)
