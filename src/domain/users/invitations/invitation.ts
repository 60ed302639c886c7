import type { Role } from '../../rights.ts'

/** A seat in a company that waits for somebody: whoever has the link takes it, once. */
export interface Invitation {
  id: number
  company_id: number
  invited_by: number | null
  email: string
  role: Role
  /** Given: the role is for this app only. */
  app_id: number | null
  expires_at: string
  accepted_at: string | null
  created_at: string
  updated_at: string
}

export const invitationDays = 7

/** The secret stands behind the #, which browsers send to nobody: it is in no log and no referrer. */
export const invitationUrl = (publicUrl: string, secret: string): string => `${publicUrl}/console/invitation#${secret}`
