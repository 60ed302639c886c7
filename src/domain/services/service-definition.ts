import { isDeepStrictEqual } from 'node:util'
import { checkDefinition } from '../../commerce/definition/check-definition.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import { type AuthType, isBuiltIn, type Service } from './service.ts'

const authTypes: Readonly<Record<Definition['auth']['kind'], AuthType>> = {
  header: 'api_key',
  query: 'api_key',
  bearer: 'api_key',
  basic: 'basic',
  none: 'none',
  secrets: 'api_key',
  login: 'api_key',
  client_credentials: 'api_key',
  authorization_code: 'oauth2',
}

export const authTypeOf = ({ auth }: Definition): AuthType => authTypes[auth.kind]

/** What is kept of a definition that somebody wrote, and what follows from it; nothing where none was given. */
export function describedBy(written: unknown): { definition?: Definition | null; auth_type?: AuthType } {
  if (written === undefined) return {}
  if (written === null) return { definition: null }
  const definition = checkDefinition(written)
  return { definition, auth_type: authTypeOf(definition) }
}

/**
 * Merchants have given their keys for one place and one way of sending them: as long as any of them is connected, neither
 * changes. What comes with us is described by its code.
 */
export function mayDescribe(service: Service, next: Definition | null, connected: boolean): void {
  if (isBuiltIn(service)) throw invalidField('definition', 'The definition field is prohibited.')
  if (!connected || service.definition === null) return
  const before = Object(service.definition)
  const changed = (['origin', 'auth'] as const).filter(
    (part) => !isDeepStrictEqual(withoutWords(before[part]), withoutWords(next?.[part])),
  )
  if (changed.length === 0) return
  const paths = next === null ? ['definition'] : changed.map((part) => `definition.${part}`)
  throw invalid(
    Object.fromEntries(paths.map((path) => [path, [`The ${path} cannot change while shops are connected.`]])),
  )
}

/** What merchants read above a field may be put better at any time. */
function withoutWords(part: unknown): unknown {
  const { secrets, ...rest } = Object(part)
  return Array.isArray(secrets)
    ? { ...rest, secrets: secrets.map(({ label: _, help: __, ...secret }) => secret) }
    : rest
}
