import { type Fields, isFields, maybeText } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { BudgetName } from './read-answer.ts'
import type { WalmartShop } from './settings.ts'

type Asked = Omit<RemoteRequest, 'method' | 'budget'> & { method?: RemoteRequest['method']; budget: BudgetName }

/** The answer's body, or Walmart's reason for not giving one; null where there is no such record. */
export async function ask({ remote }: WalmartShop, request: Asked): Promise<unknown> {
  const answer = await remote.request({ method: 'GET', ...request })
  return isMissing(answer) ? null : bodyOf(answer)
}

/** Answered by Walmart itself, and not by something in between. */
export const isMissing = ({ status, body }: RemoteAnswer): boolean => status === 404 && errorsIn(body).length > 0

export function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  throw refused(saidIn(body) ?? rejected)
}

/** Lists of errors come under one name or the other. */
function errorsIn(body: unknown): readonly Fields[] {
  const reported = isFields(body) ? (body['errors'] ?? body['error']) : null
  return Array.isArray(reported) ? reported.filter(isFields) : []
}

export const rejected = say('rejected_by', { platform: 'Walmart' })

export const reasonIn = (body: unknown): string => saidIn(body) ?? rejected.text

/** Null where Walmart gives no reason. */
export function saidIn(body: unknown): string | null {
  const [first] = errorsIn(body)
  const reported = first ?? (isFields(body) ? body : {})
  const { message } = reported
  return (
    maybeText(reported, 'description') ??
    maybeText(reported, 'info') ??
    (typeof message === 'string' && message !== '' ? message : null)
  )
}
