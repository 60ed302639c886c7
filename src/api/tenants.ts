import type { AppTenant, ClientCaller } from '../domain/tenant.ts'
import { forbidden } from '../lib/fault.ts'

/** A client is the identity of one app; one that is bound to none has nothing to look at. */
export function appTenant(caller: ClientCaller): AppTenant {
  if (caller.appId === null) throw forbidden()
  return { appId: caller.appId }
}
