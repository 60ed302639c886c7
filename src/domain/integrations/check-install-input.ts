import type { TObject } from 'typebox'
import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields, ShopFacts } from '../../commerce/shop.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'
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

export const checkCredentials = ({ auth }: Connector, credentials: AnyFields): AnyFields =>
  checkForm(auth.credentials, credentials)

/** Keys that somebody typed, as they are kept. */
export function checkTyped(connector: Connector, typed: AnyFields, facts: ShopFacts): AnyFields {
  const { auth } = connector
  if (auth.kind === 'keys') return checkCredentials(connector, typed)
  if (!auth.typed) throw invalidField('credentials', 'The credentials field is prohibited.')
  return checkCredentials(connector, auth.typed.keep(checkForm(auth.typed.form, typed), facts))
}

function checkForm(form: TObject, credentials: AnyFields): AnyFields {
  const checked = validate(object({ credentials: form }), { credentials })
  if (!checked.ok) throw invalid(checked.errors)
  return checked.value.credentials
}

const shopField = ({ shopPattern }: Connector) => text(shopPattern ? { pattern: shopPattern.source } : {})
