import { createBuckets } from '../../buckets.ts'
import { type Answer, answer } from '../../http/route.ts'
import { wholeOf } from '../../json.ts'
import type { World } from '../../world.ts'

const request_id = '202601010000000A0B0C0D0E0F0A0B0C0D'

/** Everything comes in one envelope; a code other than 0 is a refusal, whatever the status. */
export const ok = (data: object = {}): Answer => answer(200, { code: 0, message: 'Success', data, request_id })
export const no = (status: number, code: number, message: string): Answer =>
  answer(status, { code, message, data: null, request_id })

export const invalid = (message: string): Answer => no(200, 36_009_004, message)
export const expired = (): Answer => no(401, 105_002, 'Expired credentials. The access token has expired.')
export const tooMany = (): Answer => no(429, 36_009_002, 'Too many requests.')

/** Pages are named by a token in which, who looks, finds nothing but how many came before. */
export function pageIn(query: URLSearchParams, max: number): { limit: number; offset: number } | null {
  const limit = wholeOf(query.get('page_size') ?? 20) ?? 0
  const token = Buffer.from(query.get('page_token') ?? '', 'base64').toString()
  const offset = token === '' ? 0 : wholeOf(/^offset=(\d+)$/.exec(token)?.[1])
  return limit >= 1 && limit <= max && offset !== null ? { limit, offset } : null
}

/** An empty text behind the last page. */
export const nextToken = (offset: number, isMore: boolean): string =>
  isMore ? Buffer.from(`offset=${offset}`).toString('base64') : ''

const perSecond = 50

/** So many a second for each operation of an app in a shop. Nobody tells how many are left. */
export function createLimits(world: World) {
  const take = createBuckets(world)
  return (operation: string, run: () => Answer | Promise<Answer>): Answer | Promise<Answer> =>
    take(operation, { burst: perSecond, perSecond }).taken ? run() : tooMany()
}
