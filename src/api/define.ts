import type { Context } from '../domain/context.ts'
import type { Permission } from '../domain/permissions.ts'
import type { Scope } from '../domain/scopes.ts'
import type { CallerByKind } from '../domain/tenant.ts'
import { endpointsFor, type RequestFacts } from '../runtime/http/endpoint.ts'

/** `endpoint()` with our context, callers, scopes and permissions filled in. */
export const endpoint = endpointsFor<Context, CallerByKind, { scope: Scope; permission: Permission }>()

/** What `find` is handed, for functions that several endpoints share. */
export interface Finding<Caller, Param extends string> {
  context: Context
  caller: Caller
  params: Record<Param, string>
  request: RequestFacts
}
