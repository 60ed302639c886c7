import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { invalid } from '../../lib/fault.ts'
import { object, text } from '../../lib/fields.ts'
import { validate } from '../../lib/validate.ts'
import { normaliseShop } from './integration.ts'

interface ShopInput {
  shop: string
  settings: AnyFields
}

/**
 * What a connector says about the fields of its own, all complaints at once. Settings that it does not know are kept as
 * they are: they are the app's, which may keep notes there. A service without a connector takes any.
 */
export function checkShopInput(connector: Connector | undefined, input: Partial<ShopInput> & { shop: string }) {
  const shop = normaliseShop(input.shop)
  const settings = input.settings ?? {}
  if (!connector) return { shop, settings }
  const checked = validate(object({ shop: shopField(connector), settings: connector.settings }), { shop, settings })
  if (!checked.ok) throw invalid(checked.errors)
  return { shop, settings: { ...settings, ...checked.value.settings } }
}

export function checkCredentials(connector: Connector, credentials: AnyFields): AnyFields {
  const checked = validate(object({ credentials: connector.auth.credentials }), { credentials })
  if (!checked.ok) throw invalid(checked.errors)
  return checked.value.credentials
}

const shopField = ({ shopPattern }: Connector) => text(shopPattern ? { pattern: shopPattern.source } : {})
