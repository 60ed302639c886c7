import { validate } from '../../lib/validation/validate.ts'
import type { Connector } from '../connector.ts'
import type { ShopFacts } from '../shop.ts'

interface StoredShop {
  shop: string
  settings: unknown
  granted?: readonly string[] | null
}

/** What was stored by an older version may no longer fit; the parts that do are what counts. */
export function factsOf(
  { settings: form }: Pick<Connector, 'settings'>,
  { shop, settings, granted = null }: StoredShop,
): ShopFacts {
  const checked = validate(form, settings)
  return { shop, settings: checked.ok ? checked.value : {}, granted }
}

/** Every place that calls for a shop may go to, in one text: the same text is the same places. */
export function originsOf(connector: Connector, stored: StoredShop): string {
  const { origin, origins = {} } = connector.remote
  const facts = factsOf(connector, stored)
  return [origin, ...Object.values(origins)].map((of) => of(facts)).join(' ')
}
