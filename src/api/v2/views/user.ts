import { type Static, Type } from 'typebox'
import { roles } from '../../../domain/rights.ts'
import type { User } from '../../../domain/users/user.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableId, nullableTimestamp, timestamps } from './record.ts'

export const userSchema = Type.Object({
  id: idField,
  name: Type.String(),
  email: Type.String(),
  email_verified_at: nullableTimestamp,
  active: Type.Boolean(),
  company_id: nullableId,
  roles: Type.Array(Type.String(), { description: 'Of the whole instance' }),
  company_role: Type.Union([choice(roles), Type.Null()], {
    description: 'In the company; null if only permissions say what the user may',
  }),
  app_roles: Type.Array(Type.Object({ app_id: idField, role: choice(roles) }), {
    description: 'For single apps, in the place of the role in the company',
  }),
  permissions: Type.Array(Type.String(), { description: 'Effective: given directly or by a role' }),
  ...timestamps,
})

export const userView = (user: User): Static<typeof userSchema> => ({
  id: user.id,
  name: user.name,
  email: user.email,
  email_verified_at: user.email_verified_at,
  active: user.active,
  company_id: user.company_id,
  roles: user.roles,
  company_role: user.company_role,
  app_roles: user.app_roles,
  permissions: user.permissions,
  created_at: user.created_at,
  updated_at: user.updated_at,
})
