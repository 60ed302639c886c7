import { type Reason, reasonOf } from '../../lib/words/wording.ts'
import type { JsonValue } from '../../runtime/db/tables.gen.ts'

/** Where the code of an entry lies in its context: it is sealed with it, and forgotten with it. */
const place = '_words'

export const withCode = (words: Reason, context: Readonly<Record<string, unknown>> | null | undefined) => ({
  ...context,
  [place]: reasonOf(words),
})

interface Coded {
  context: JsonValue
  code: string | null
  parameters: JsonValue
}

/** The context as it was given, and what the message follows from. */
export function codeIn(stored: JsonValue): Coded {
  if (!isFields(stored)) return { context: stored, code: null, parameters: null }
  const { [place]: words = null, ...given } = stored
  if (!isFields(words)) return { context: stored, code: null, parameters: null }
  const { code, parameters = {} } = words
  const context = Object.keys(given).length === 0 ? null : given
  return { context, code: typeof code === 'string' ? code : null, parameters }
}

const isFields = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
