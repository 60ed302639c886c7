import type { Remote } from '../../src/commerce/remote.ts'
import type { MemorySimulator } from '../../src/simulator/simulator.ts'

/** The same shop, whose answer to the first request of this kind never arrives, although it was carried out. */
export function losing<Opened extends { remote: Remote }>(shop: Opened, kind: RegExp): Opened {
  let isLost = false
  const request: Remote['request'] = async (asked) => {
    const answer = await shop.remote.request(asked)
    if (isLost || !kind.test(`${asked.method} ${asked.path}`)) return answer
    isLost = true
    throw new Error('The answer got lost.')
  }
  return { ...shop, remote: { request } }
}

/** What has really happened of a kind, and to what. */
export const effectsOf = ({ ledger }: Pick<MemorySimulator, 'ledger'>, operation: string): string[] =>
  ledger().flatMap((one) => (one.kind === 'effect' && one.operation === operation ? [one.subject] : []))
