import { type Static, Type } from 'typebox'
import { roles } from '../../../domain/rights.ts'
import type { Invitation } from '../../../domain/users/invitations/invitation.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableId, nullableTimestamp, timestamp, timestamps } from './record.ts'

export const invitationSchema = Type.Object({
  id: idField,
  email: Type.String(),
  role: choice(roles),
  app_id: nullableId,
  invited_by: nullableId,
  expires_at: timestamp,
  accepted_at: nullableTimestamp,
  ...timestamps,
})

export const invitationView = (invitation: Invitation): Static<typeof invitationSchema> => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  app_id: invitation.app_id,
  invited_by: invitation.invited_by,
  expires_at: invitation.expires_at,
  accepted_at: invitation.accepted_at,
  created_at: invitation.created_at,
  updated_at: invitation.updated_at,
})
