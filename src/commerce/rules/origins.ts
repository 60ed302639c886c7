import { validate } from '../../lib/validation/validate.ts'
import type { Connector } from '../connector.ts'

/** Every place that calls for a shop may go to, in one text: the same text is the same places. */
export function originsOf({ remote, settings: form }: Connector, stored: { shop: string; settings: unknown }): string {
  const checked = validate(form, stored.settings)
  const facts = { shop: stored.shop, settings: checked.ok ? checked.value : {}, granted: null }
  const { origin, origins = {} } = remote
  return [origin, ...Object.values(origins)].map((of) => of(facts)).join(' ')
}
