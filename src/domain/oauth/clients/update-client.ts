import { invalid } from '../../../lib/fault.ts'
import { announce } from '../../announce-store.ts'
import type { Context } from '../../context.ts'
import type { UserTenant } from '../../tenant.ts'
import { revokeTokens } from '../../token-revocation-store.ts'
import type { Client, ClientInput } from './client.ts'
import { type ClientChanges, changeClient, lockClient } from './client-store.ts'
import { inputErrors } from './create-client.ts'

/** Whether a client is confidential cannot change: there is a secret or there is none. */
export type UpdateClientInput = Partial<Omit<ClientInput, 'confidential'>>

export async function updateClient(
  context: Context,
  tenant: UserTenant,
  input: { id: number; changes: UpdateClientInput },
): Promise<Client> {
  const { id, changes } = input
  return await context.transaction(async (trx) => {
    const before = await lockClient(trx, tenant, id)
    const { app_id: asked, ...others } = changes
    const moves = asked !== undefined && asked !== before.app_id
    const errors = await inputErrors(trx, tenant, moves ? changes : others)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const client = await changeClient(trx, id, columnChanges(changes))
    // A token acts for the app it was issued under, never for the next one.
    if (moves) await revokeTokens(trx, 'client', id)
    else await announce(trx, 'client', id)
    return client
  })
}

function columnChanges({ name, app_id, grant_types, scopes, redirect }: UpdateClientInput): ClientChanges {
  return {
    ...(name !== undefined && { name }),
    ...(app_id !== undefined && { app_id }),
    ...(grant_types !== undefined && { grant_types: [...new Set(grant_types)] }),
    ...(scopes !== undefined && { scopes: scopes && [...new Set(scopes)] }),
    ...(redirect !== undefined && { redirect: [...redirect] }),
  }
}
