import { createBuckets } from '../../buckets.ts'
import { type Answer, answer } from '../../http/route.ts'
import type { World } from '../../world.ts'

/** Errors have a sentence for people and a code for programs. */
export const no = (status: number, code: string, description: string): Answer =>
  answer(status, { message: description, details: { applicationError: { code, description, data: {} } } })

export const missing = (what: string): Answer => no(404, `${what.toUpperCase()}_NOT_FOUND`, `${what} not found`)

/** Of what a query holds. */
export const invalid = (description: string): Answer => no(400, 'INVALID_ARGUMENT', description)

const perMinute = 200

/** So many calls a minute, for each site; what is left is told nowhere. */
export function createLimit(world: World) {
  const take = createBuckets(world)
  return async (name: string, run: () => Answer | Promise<Answer>): Promise<Answer> => {
    const { taken, waitSeconds } = take(name, { burst: perMinute, perSecond: perMinute / 60 })
    if (taken) return await run()
    const refusal = no(429, 'RESOURCE_EXHAUSTED', 'Too many requests')
    return { ...refusal, headers: { 'retry-after': String(Math.max(1, Math.ceil(waitSeconds))) } }
  }
}
