import { refused } from '../../commerce/remote.ts'
import type { Dialect } from './dialect.ts'
import { inProcess } from './in-process/index.ts'
import { market } from './market/index.ts'
import type { Credentials, DialectName, SandboxFacts } from './settings.ts'
import { shopify } from './shopify/index.ts'
import { woo } from './woo/index.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = { shopify, woo, market }

/**
 * How to speak to this shop: found out once, when it is connected. Settings that somebody replaced since may have lost
 * it; then the keys tell, where they are at hand.
 */
export function dialectOf(facts: SandboxFacts & { credentials?: Credentials }): Dialect {
  const { settings, credentials = {} } = facts
  if (settings.base_url === undefined) return inProcess
  if (settings.dialect !== undefined) return dialects[settings.dialect]
  if (credentials.consumer_key !== undefined) return woo
  if (credentials.refresh_token !== undefined) return shopify
  if (credentials.client_id !== undefined) return market
  throw refused('How the simulator speaks is not known: the shop must be connected again.')
}
