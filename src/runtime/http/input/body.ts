import { parse as parseQuery } from 'node:querystring'
import secureJson from 'secure-json-parse'
import { malformed } from '../../../lib/fault.ts'
import { isDeeper } from '../../../lib/parse-json.ts'

/**
 * Bodies are parsed before the record of the path is looked up, but a bad body must be reported after a missing record:
 * so a parser hands on what is wrong as a value, and `readBody` throws it at the right moment.
 */
export const badBody = Symbol('bad body')
export type ParsedBody = Record<string, unknown> | typeof badBody | undefined

const maxDepth = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

/** What the type of content says that the bytes are. */
export function bodyKind(contentType: string | undefined): 'json' | 'form' | 'multipart' | 'other' {
  if (contentType === undefined) return 'other'
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json'
  if (type === 'multipart/form-data') return 'multipart'
  return type === 'application/x-www-form-urlencoded' ? 'form' : 'other'
}

export function parseJson(bytes: Buffer): ParsedBody {
  try {
    const text = decoder.decode(bytes)
    if (text.trim() === '') return undefined
    if (isDeeper(text, maxDepth)) return badBody
    const value: unknown = secureJson.parse(text, { protoAction: 'remove', constructorAction: 'remove' })
    // What PHP makes of an object without fields.
    if (Array.isArray(value) && value.length === 0) return {}
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return badBody
    // PostgreSQL stores neither NUL nor half a surrogate pair; both can only come in as an escape.
    if (/\\u(0000|d[89a-f])/i.test(text) && hasUnstorableText(value)) return badBody
    return value as Record<string, unknown>
  } catch {
    return badBody
  }
}

export function parseForm(bytes: Buffer): ParsedBody {
  try {
    const form: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(parseQuery(decoder.decode(bytes), '&', '=', { maxKeys: 100 }))) {
      // RFC 6749 3.2: a parameter must not appear more than once.
      if (Array.isArray(value) || hasUnstorableText(value)) return badBody
      form[key] = value
    }
    return form
  } catch {
    return badBody
  }
}

export function readBody(body: unknown): Record<string, unknown> {
  if (body === badBody) throw malformed('Malformed JSON.')
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

export function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => hasUnstorableText(key) || hasUnstorableText(inner))
}
