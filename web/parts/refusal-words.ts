import { Refusal, Unreachable } from '../lib/ask.ts'

/** As much of a language as refusals need; without `reasons` they are shown as the service says them. */
export interface RefusalWords {
  unreachable: string
  reasons?: (reason: unknown) => string | null
}

/** By field, in the language of whoever reads it. */
export function errorsIn(failure: unknown, { reasons }: Pick<RefusalWords, 'reasons'>): Refusal['errors'] {
  if (!(failure instanceof Refusal)) return {}
  const said = Object.entries(failure.errors).map(([field, texts]) => {
    const known = failure.reasons[field] ?? []
    return [field, texts.map((text, n) => reasons?.(known[n]) ?? text)]
  })
  return Object.fromEntries(said)
}

/** What the status alone says, by the codes of the service. */
const codes: Readonly<Record<number, string>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  429: 'too_many',
  500: 'server_error',
  503: 'unavailable',
}

/** What went wrong, in one text. */
export function failureText(failure: unknown, words: RefusalWords | undefined): string {
  if (failure instanceof Unreachable) return words?.unreachable ?? failure.message
  if (failure instanceof Refusal && words?.reasons) {
    const whole = words.reasons(failure.reason)
    if (whole !== null) return whole
    const texts = Object.values(errorsIn(failure, words)).flat()
    if (texts.length > 0) return texts.join(' ')
    const ofStatus = words.reasons({ code: codes[failure.status], parameters: {} })
    if (ofStatus !== null) return ofStatus
  }
  return failure instanceof Error ? failure.message : String(failure)
}
