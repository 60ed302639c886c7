import { everyScope, webcomponentScopes } from '../scopes.ts'
import { isKnownScope, underCeiling } from './clients/client.ts'
import { invalidScope } from './oauth-faults.ts'

interface Granted {
  scopes: string[]
  /** Whether that is other than what was asked for, which the answer then says. */
  differs: boolean
}

type Ceiling = readonly string[] | null

/** For users and clients: what was asked for, `*` if nothing was, never more than the client's ceiling. */
export function grantScopes(asked: readonly string[] | null, ceiling: Ceiling): Granted {
  const unknown = asked?.find((scope) => !isKnownScope(scope))
  if (unknown !== undefined) throw invalidScope(unknown)
  return limited(asked ?? [everyScope], ceiling)
}

/** For accounts there are only the scopes of the web components; `*` is all of those. */
export function grantAccountScopes(asked: readonly string[] | null, ceiling: Ceiling): Granted {
  const expanded = expandAccountScopes(asked ?? [everyScope])
  const unknown = expanded.find((scope) => !isAccountScope(scope))
  if (unknown !== undefined) throw invalidScope(unknown)
  return { ...limited(expanded, ceiling), differs: true }
}

/** On refresh the list can only get shorter, and stays so. `*` may become any list. */
export function narrowScopes(asked: readonly string[] | null, held: readonly string[]): string[] {
  if (asked === null) return [...held]
  const all = held.includes(everyScope)
  const beyond = asked.find((scope) => !isKnownScope(scope) || !(all || held.includes(scope)))
  if (beyond !== undefined) throw invalidScope(beyond)
  return [...asked]
}

export function expandAccountScopes(asked: readonly string[]): string[] {
  const wildcard = asked.includes(everyScope) || asked.includes('webcomponent:*')
  if (!wildcard) return [...new Set(asked)]
  const others = asked.filter((scope) => scope !== everyScope && scope !== 'webcomponent:*')
  return [...new Set([...webcomponentScopes, ...others])]
}

export const isAccountScope = (scope: string): boolean => (webcomponentScopes as readonly string[]).includes(scope)

function limited(asked: readonly string[], ceiling: Ceiling): Granted {
  const scopes = underCeiling(asked, ceiling)
  return { scopes, differs: scopes.length !== asked.length || scopes.some((scope) => !asked.includes(scope)) }
}
