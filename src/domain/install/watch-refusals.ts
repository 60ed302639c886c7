import { isDeepStrictEqual } from 'node:util'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault, faultAt } from '../../lib/fault.ts'
import type { Context } from '../context.ts'

type Transport = Context['transport']

const hint = say('drops_authorization')

/**
 * Credentials in the Authorization header do not always reach the shop. One that says the same to nobody at all has not seen
 * them, or tells nobody the difference: whoever typed them is told so. One that says something else has seen them.
 */
export function watchRefusals({ transport }: Pick<Context, 'transport'>) {
  let last: { call: Parameters<Transport>[0]; answer: RemoteAnswer } | null = null
  const watching: Transport = async (call) => {
    last = null
    const answer = await transport(call)
    last = { call, answer }
    return answer
  }

  async function answersAlike(): Promise<boolean> {
    const { authorization, ...headers } = last?.call.request.headers ?? {}
    if (last === null || authorization === undefined || last.call.request.method !== 'GET') return false
    const { call, answer } = last
    const bare = await transport({ ...call, request: { ...call.request, headers } }).catch(() => null)
    return bare !== null && bare.status === answer.status && isDeepStrictEqual(bare.body, answer.body)
  }

  return {
    context: { transport: watching },
    async explain(refusal: unknown): Promise<unknown> {
      if (!(refusal instanceof Fault) || !refusal.wordings || !(await answersAlike())) return refusal
      const told = Object.entries(refusal.wordings).map(([field, said]) => [field, [...said, hint]])
      return faultAt(refusal.kind, Object.fromEntries(told))
    },
  }
}
