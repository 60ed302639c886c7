import { type Static, Type } from 'typebox'
import type { Client } from '../../../domain/oauth/clients/client.ts'
import { idField, nullableId, nullableText, timestamps } from './record.ts'

export const clientSchema = Type.Object({
  id: idField,
  user_id: nullableId,
  app_id: nullableId,
  name: Type.String(),
  provider: nullableText,
  redirect: Type.String({ description: 'Addresses separated by commas' }),
  personal_access_client: Type.Boolean(),
  password_client: Type.Boolean(),
  confidential: Type.Boolean(),
  grant_types: Type.Array(Type.String()),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Upper limit for the scopes of its tokens; null is no limit',
  }),
  revoked: Type.Boolean(),
  ...timestamps,
})

export const createdClientSchema = Type.Intersect([
  clientSchema,
  Type.Object({ secret: Type.Union([Type.String(), Type.Null()], { description: 'Shown only in this answer' }) }),
])

export const clientView = (client: Client): Static<typeof clientSchema> => ({
  id: client.id,
  user_id: client.user_id,
  app_id: client.app_id,
  name: client.name,
  provider: client.grant_types.includes('password') ? 'users' : null,
  redirect: client.redirect.join(','),
  personal_access_client: false,
  password_client: client.grant_types.includes('password'),
  confidential: client.confidential,
  grant_types: client.grant_types,
  scopes: client.scopes,
  revoked: false,
  created_at: client.created_at,
  updated_at: client.updated_at,
})
