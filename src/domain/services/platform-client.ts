import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import { object } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'

/**
 * What a platform gave us, or an app, at registration there: client id, client secret. It is checked against what the
 * connector asks for, kept sealed and never shown again. Null takes it away.
 */
export type PlatformClient = AnyFields | null

export function checkPlatformClient(connector: Connector | undefined, client: PlatformClient): PlatformClient {
  if (client === null) return null
  if (connector?.auth.kind !== 'oauth2') throw invalidField('client', 'The client field is prohibited.')
  const checked = validate(object({ client: connector.auth.client }), { client })
  if (!checked.ok) throw invalid(checked.errors)
  return checked.value.client
}
