import { fieldsOf, isFields, maybeText, textIn } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { Wording } from '../../lib/words/wording.ts'
import { type BudgetName, errorsIn } from './read-answer.ts'
import type { AmazonShop } from './settings.ts'

type Asked = Omit<RemoteRequest, 'method' | 'budget'> & { method?: RemoteRequest['method']; budget: BudgetName }

/** The answer's body, or Amazon's reason for not giving one; null where there is no such record. */
export async function ask({ remote }: AmazonShop, request: Asked): Promise<unknown> {
  const answer = await remote.request({ method: 'GET', ...request })
  return answer.status === 404 && hasErrors(answer) ? null : bodyOf(answer)
}

/** The text of a file that Amazon has made: where it lies is asked first, and it may be packed. */
export async function readDocument(
  shop: AmazonShop,
  {
    path,
    budget,
    ...limits
  }: { path: string; budget: BudgetName } & Pick<RemoteRequest, 'timeoutSeconds' | 'maxBytes'>,
): Promise<string> {
  const document = fieldsOf(await ask(shop, { path, budget }))
  const isPacked = maybeText(document, 'compressionAlgorithm') === 'GZIP'
  const file = await shop.remote.request({
    method: 'GET',
    origin: 'download',
    path: textIn(document, 'url'),
    headers: { accept: 'text/*' },
    ...(isPacked ? { unpack: 'gzip' as const } : {}),
    ...limits,
    budget: 'downloads',
  })
  return String(bodyOf(file) ?? '')
}

/** Gateways know nothing of records: their 404 is about something else. */
const hasErrors = ({ body }: RemoteAnswer): boolean => errorsIn(body).length > 0

export function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  throw refused(reasonIn(body))
}

/** The details are the better half, where there are any. */
function reasonIn(body: unknown): string | Wording {
  const [first] = errorsIn(body)
  const reported = first ?? (isFields(body) ? body : {})
  const parts = [maybeText(reported, 'message'), maybeText(reported, 'details')].filter((part) => part !== null)
  return [...new Set(parts)].join(' ') || say('rejected_by', { platform: 'Amazon' })
}
