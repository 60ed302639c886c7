import type { Context } from '../domain/context.ts'
import type { Permission } from '../domain/permissions.ts'
import { type Right, rightFor } from '../domain/rights.ts'
import type { Scope } from '../domain/scopes.ts'
import type { CallerByKind } from '../domain/tenant.ts'
import { endpointsFor, type RequestFacts } from '../runtime/http/endpoint.ts'
import { userScope } from './user-scope.ts'

const plain = endpointsFor<Context, CallerByKind, { scope: Scope; permission: Permission; right: Right }>()

/**
 * `endpoint()` with our context, callers, scopes, permissions and rights filled in. The scope of a user's token follows
 * from the route. What the console needs of a user to call as an app or an account follows from the scope, unless the
 * endpoint says otherwise.
 */
export const endpoint: typeof plain = (definition) => {
  const made = plain(definition)
  if (definition.group.caller === 'user') return { ...made, scope: userScope(definition) }
  const right = definition.right ?? rightFor(definition.scope)
  return right === undefined ? made : { ...made, right }
}

/** What `find` is handed, for functions that several endpoints share. */
export interface Finding<Caller, Param extends string> {
  context: Context
  caller: Caller
  params: Record<Param, string>
  request: RequestFacts
}
