import { type Endpoint, type ErasedInput, fullPath } from '../runtime/http/endpoint.ts'

/** Which record a call is about, and whose: read off its path, what was found there, and what the call has made. */

type Fields = Readonly<Record<string, unknown>>

/** Bytes are an answer that is written already, and have millions of them. */
const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
    ? (value as Fields)
    : null

const idIn = (fields: Fields | null, name = 'id'): number | null => {
  const value = fields?.[name]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** The record itself, or the first part that is one: `{ integration, gatewayKey }`, `{ data: { … } }`. */
function made(result: unknown): { fields: Fields; part: string | null } | null {
  const fields = fieldsOf(result)
  if (!fields) return null
  if (idIn(fields) !== null) return { fields, part: null }
  for (const [part, value] of Object.entries(fields)) {
    const inner = fieldsOf(value)
    if (idIn(inner) !== null && inner) return { fields: inner, part }
  }
  return null
}

export function recordOf(
  endpoint: Endpoint,
  { params, found }: Pick<ErasedInput, 'params' | 'found'>,
  result: unknown,
): { record_type: string | null; record_id: string | null } {
  const parts = fullPath(endpoint).split('/')
  const last = parts.at(-1) ?? ''
  const record = made(result)
  if (endpoint.method === 'POST' && record && (isCollection(last) || record.part === 'integration')) {
    const type = record.part === 'integration' ? 'integration' : singular(last)
    return { record_type: type, record_id: String(record.fields['id']) }
  }
  const place = parts.findLastIndex((part) => part.startsWith('{'))
  const name = parts[place]?.slice(1, -1)
  const value = name === undefined ? undefined : params[name]
  if (value === undefined) return { record_type: null, record_id: null }
  return { record_type: singular(parts[place - 1] ?? ''), record_id: String(idIn(fieldsOf(found)) ?? value) }
}

/** Whether what is posted there becomes one of them; actions become nothing. */
const isCollection = (part: string): boolean => /^[a-z]+s$/.test(part) && part !== 'actions'

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '')

export interface TenantFacts {
  appId: number | null
  accountId: number | null
  integrationId: number | null
}

/** Of the gateway key, of what the path names, or of what was made: whoever knows it says it. */
export function tenantIn({ admitted, found, params, query }: ErasedInput, result: unknown): TenantFacts {
  const asked = fieldsOf(query)
  const sources = [fieldsOf(admitted), fieldsOf(found), made(result)?.fields ?? null]
  const inner = sources.flatMap((source) => [source, fieldsOf(source?.['integration'])])
  const first = (name: string) => inner.map((source) => idIn(source, name)).find((id) => id !== null) ?? null
  const integration = inner.find(
    (source) => source?.['integration_key'] !== undefined || source?.['integrationKey'] !== undefined,
  )
  const named = Number(params['appId'])
  return {
    appId: Number.isSafeInteger(named) ? named : first('app_id'),
    accountId: first('account_id'),
    integrationId: idIn(integration ?? null) ?? first('integration_id') ?? idIn(asked, 'integration_id'),
  }
}
