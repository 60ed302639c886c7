import type { FieldErrors } from '../../../lib/fault.ts'
import { everyScope, scopes } from '../../scopes.ts'

export const grantTypes = ['password', 'client_credentials', 'refresh_token'] as const
export type GrantType = (typeof grantTypes)[number]

export interface Client {
  id: number
  user_id: number | null
  company_id: number | null
  app_id: number | null
  name: string
  grant_types: string[]
  /** Upper limit for the scopes of its tokens; null is no limit. */
  scopes: string[] | null
  redirect: string[]
  confidential: boolean
  created_at: string
  updated_at: string
}

export interface ClientInput {
  name: string
  app_id?: number | null
  grant_types?: readonly string[]
  scopes?: readonly string[] | null
  redirect?: readonly string[]
  confidential?: boolean
}

export const isKnownScope = (name: string): boolean => (scopes as readonly string[]).includes(name)

export function clientErrors(input: Pick<ClientInput, 'grant_types' | 'scopes'>): FieldErrors {
  const errors: FieldErrors = {}
  const check = (field: string, values: readonly string[], known: (value: string) => boolean) => {
    for (const [index, value] of values.entries()) {
      if (!known(value)) errors[`${field}.${index}`] = [`The selected ${field}.${index} is invalid.`]
    }
  }
  check('grant_types', input.grant_types ?? [], (value) => (grantTypes as readonly string[]).includes(value))
  check('scopes', input.scopes ?? [], isKnownScope)
  return errors
}

/** A client that logs users in also keeps them logged in: old clients were never asked to name the refresh grant. */
export function mayUse(client: Pick<Client, 'grant_types'>, grant: GrantType): boolean {
  if (client.grant_types.includes(grant)) return true
  return grant === 'refresh_token' && client.grant_types.includes('password')
}

/** What is above the ceiling falls away. `*` means "all I may have", so it becomes the ceiling itself. */
export function underCeiling(asked: readonly string[], ceiling: readonly string[] | null): string[] {
  if (ceiling === null || ceiling.includes(everyScope)) return [...asked]
  if (asked.includes(everyScope)) return [...ceiling]
  return asked.filter((scope) => ceiling.includes(scope))
}
