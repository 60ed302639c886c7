import type { JsonValue } from '../../runtime/db/tables.gen.ts'

/** A merchant of an app, under the name that the app gave it. */
export interface Account {
  id: number
  app_id: number
  remote_id: string
  name: string | null
  email: string | null
  company_id: number | null
  active: boolean
  settings: JsonValue
  created_at: string
  updated_at: string
}

export interface AccountInput {
  remote_id: string
  name?: string | null | undefined
  email?: string | null | undefined
  active?: boolean | undefined
  settings?: Record<string, unknown> | undefined
}
