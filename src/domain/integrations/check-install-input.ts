import type { TObject, TSchema } from 'typebox'
import type { Connector } from '../../commerce/connector.ts'
import { above, shopAddress, shopPattern } from '../../commerce/rules/shop-address.ts'
import type { AnyFields, ShopFacts } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'

interface ShopInput {
  shop: string
  settings: AnyFields
}

/**
 * What a connector says about the fields of its own, all complaints at once. Settings that it does not know are kept as
 * they are: they are the app's, which may keep notes there. A service without a connector takes any. An address that says
 * more than the host is the setting `base_url`, unless that is given; `pasted` tells that it came from there.
 */
export function checkShopInput(connector: Connector | undefined, input: Partial<ShopInput> & { shop: string }) {
  const address = shopAddress(input.shop, connector?.shopOfPage)
  const addressField = connector && addressFieldOf(connector)
  const isGiven = input.settings?.['base_url'] !== undefined
  const pasted = addressField && !isGiven ? fitting(addressField, address.beyond) : null
  const settings = { ...(pasted !== null && { base_url: pasted }), ...input.settings }
  // A port that nobody asks for would be left out in silence.
  const shop = address.hasPort && !addressField ? input.shop : address.shop
  const ofConnector = connector?.settings ?? object({})
  const host = validate(object({ shop: hostField }), { shop })
  const checked = validate(object({ shop: platformField(connector ?? {}), settings: ofConnector }), { shop, settings })
  const errors = { ...(!checked.ok && checked.wordings), ...(!host.ok && host.wordings) }
  if (!checked.ok || !host.ok) throw invalid(errors)
  return { shop, settings: { ...settings, ...checked.value.settings }, pasted: pasted !== null }
}

export const checkCredentials = ({ auth }: Connector, credentials: AnyFields): AnyFields =>
  checkForm(auth.credentials, credentials)

/** Keys that somebody typed, as they are kept. */
export function checkTyped(connector: Connector, typed: AnyFields, facts: ShopFacts): AnyFields {
  const { auth } = connector
  if (auth.kind === 'keys') return checkCredentials(connector, typed)
  if (!auth.typed) throw invalidField('credentials', say('prohibited_credentials'))
  return checkCredentials(connector, auth.typed.keep(checkForm(auth.typed.form, typed), facts))
}

function checkForm(form: TObject, credentials: AnyFields): AnyFields {
  const checked = validate(object({ credentials: form }), { credentials })
  if (!checked.ok) throw invalid(checked.wordings)
  return checked.value.credentials
}

const hostField = text({
  max: 253,
  pattern: shopPattern,
  must: say('shop_address'),
})

function platformField({ shopPattern: pattern, shopExample: example, name }: Partial<Connector>) {
  if (!pattern) return text()
  return text({
    pattern: pattern.source,
    ...(example && { must: say('shop_address_at', { platform: name ?? '', example }) }),
  })
}

/** The setting for addresses that say more than a host, where the form of the service has one. */
function addressFieldOf({ settings }: Connector): TSchema | undefined {
  const { base_url: field } = settings.properties
  return field === undefined || 'x-unlisted' in field ? undefined : field
}

/** Pages may have names that no shop has: what is above them does as well. */
function fitting(field: TSchema, address: string | null): string | null {
  if (address === null || validate(object({ base_url: field }), { base_url: address }).ok) return address
  return fitting(field, above(address))
}
