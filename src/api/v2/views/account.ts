import { type Static, Type } from 'typebox'
import type { Account } from '../../../domain/accounts/account.ts'
import { idField, nullableId, nullableText, objectField, timestamps } from './record.ts'

export const accountSchema = Type.Object({
  id: idField,
  app_id: Type.Integer(),
  remote_id: Type.String({ description: "The app's own name for the account" }),
  name: nullableText,
  email: nullableText,
  company_id: nullableId,
  active: Type.Boolean(),
  settings: objectField,
  ...timestamps,
})

export const accountView = (account: Account): Static<typeof accountSchema> => ({
  id: account.id,
  app_id: account.app_id,
  remote_id: account.remote_id,
  name: account.name,
  email: account.email,
  company_id: account.company_id,
  active: account.active,
  settings: account.settings,
  created_at: account.created_at,
  updated_at: account.updated_at,
})
