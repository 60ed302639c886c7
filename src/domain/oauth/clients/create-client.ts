import { type FieldErrors, invalid } from '../../../lib/fault.ts'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { assertRoomForClient } from '../../quota-store.ts'
import type { UserTenant } from '../../tenant.ts'
import { type Client, type ClientInput, clientErrors } from './client.ts'
import { insertClient, ownsApp } from './client-store.ts'

/** The secret is shown this once; what is kept can only recognise it. */
export interface CreatedClient {
  client: Client
  secret: string | null
}

/** `tenant` is null for the operator at the command line, who may bind a client to any app. */
export async function createClient(
  context: Context,
  tenant: UserTenant | null,
  input: ClientInput,
): Promise<CreatedClient> {
  const errors = await inputErrors(context.db, tenant, input)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const owner = { user_id: tenant?.userId ?? null, company_id: tenant?.companyId ?? null }
  if (tenant) await assertRoomForClient(context.db, context.quotas, owner)
  const confidential = input.confidential ?? true
  const secret = confidential ? randomSecret() : null
  const client = await context.transaction((trx) =>
    insertClient(trx, {
      ...owner,
      app_id: input.app_id ?? null,
      name: input.name,
      secret_hash: secret === null ? null : digest(secret),
      grant_types: [...new Set(input.grant_types ?? ['client_credentials'])],
      scopes: input.scopes ? [...new Set(input.scopes)] : null,
      redirect: [...(input.redirect ?? [])],
      confidential,
    }),
  )
  return { client, secret }
}

export async function inputErrors(
  db: Db,
  tenant: UserTenant | null,
  input: Partial<ClientInput>,
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  if (typeof input.app_id === 'number' && tenant && !(await ownsApp(db, tenant, input.app_id))) {
    errors['app_id'] = ['The selected app id is invalid.']
  }
  return { ...errors, ...clientErrors(input) }
}
