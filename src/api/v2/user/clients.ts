import { grantTypes } from '../../../domain/oauth/clients/client.ts'
import { clientList, clientScope, findClient } from '../../../domain/oauth/clients/client-store.ts'
import { createClient } from '../../../domain/oauth/clients/create-client.ts'
import { revokeClient } from '../../../domain/oauth/clients/revoke-client.ts'
import { updateClient } from '../../../domain/oauth/clients/update-client.ts'
import { scopes } from '../../../domain/scopes.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { invalidField } from '../../../lib/fault.ts'
import { recordId } from '../../../lib/record-id.ts'
import { flag, id, list, maybe, nameText, object, optional, partial, text } from '../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { clientSchema, clientView, createdClientSchema } from '../views/client.ts'

const body = object({
  name: nameText({ max: 191 }),
  redirect: maybe(text({ max: 2000, description: 'Addresses separated by commas' })),
  app_id: maybe(id('The app whose identity this client is, for the client credentials grant')),
  grant_types: optional(list(text(), { min: 1, max: grantTypes.length, description: grantTypes.join(', ') })),
  scopes: maybe(
    list(text(), { max: scopes.length, description: 'Upper limit for the scopes of its tokens; null is no limit' }),
  ),
  confidential: optional(flag()),
})

const find = ({ context, caller, params }: Finding<UserCaller, 'id'>) =>
  findClient(context.db, caller, recordId(params.id))

function redirectList(redirect: string | null | undefined): string[] | undefined {
  if (redirect === undefined) return undefined
  const addresses = (redirect ?? '').split(',').filter((address) => address !== '')
  if (!addresses.every((address) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol))) {
    throw invalidField('redirect', 'One or more redirects have an invalid URI format.')
  }
  return addresses
}

const listClients = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/clients',
  permission: 'read-client',
  summary: 'List OAuth clients',
  query: listQuery({ filter: ['app_id'], sort: ['id', 'name', 'created_at', 'updated_at'] }),
  returns: page(clientSchema),
  handle: ({ context, caller, query }) => listOf(context, clientList, clientScope(caller), query, clientView),
})

const getClient = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/clients/{id}',
  permission: 'read-client',
  summary: 'Get an OAuth client',
  find,
  returns: record(clientSchema),
  handle: async ({ found }) => clientView(found),
})

const create = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/clients',
  permission: 'create-client',
  summary: 'Create an OAuth client',
  description: 'The secret is shown only in this answer.',
  body,
  example: { name: 'Order manager', app_id: 1, grant_types: ['client_credentials'] },
  returns: record(createdClientSchema),
  async handle({ context, caller, body }) {
    const redirect = redirectList(body.redirect)
    const { client, secret } = await createClient(context, caller, {
      ...body,
      ...(redirect ? { redirect } : { redirect: [] }),
    })
    return { ...clientView(client), secret }
  },
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/clients/{id}',
  permission: 'update-client',
  summary: 'Update an OAuth client',
  find,
  body: partial(body),
  example: { name: 'Order manager (new)' },
  returns: record(clientSchema),
  async handle({ context, caller, found, body }) {
    const { redirect: _, ...others } = body
    const redirect = redirectList(body.redirect)
    const changes = { ...others, ...(redirect ? { redirect } : {}) }
    return clientView(await updateClient(context, caller, { id: found.id, changes }))
  },
})

const remove = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/clients/{id}',
  permission: 'delete-client',
  summary: 'Delete an OAuth client',
  description: 'Its tokens end with it.',
  find,
  returns: nothing,
  handle: ({ context, caller, found }) => revokeClient(context, caller, found.id),
})

export const userClients = [listClients, getClient, create, update, remove]
