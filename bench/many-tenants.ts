import { type Ask, asksOf } from './support/asks.ts'
import { type Size, type Tenant, type World, withWorld } from './support/tenants.ts'

/**
 * What it takes to do the same in a world of very many shops and in a small one, in turns: in both for an app of a hundred shops, and in the large
 * one for the app that has all the others. Needs two migrated databases.
 */
export interface TenantsResult {
  what: string
  /** Whose it is in the large world: the small app's, or the one's that has all the others. */
  whose: 'small' | 'large'
  /** Whether it concerns one shop, one merchant or a small app: then nobody else is to be felt. */
  isFlat: boolean
  /** Milliseconds of each time, in turns. */
  large: number[]
  small: number[]
}

export const smallApp: Size = { integrations: 100, rows: 17_000 }

export async function measureManyTenants(options: {
  urls: { large: string; small: string }
  size: Size
  rounds?: number
  progress: (text: string) => void
}): Promise<TenantsResult[]> {
  // The p95 of a hundred is its fifth worst: one moment in which the machine was busy decides.
  const { urls, size, rounds = 400, progress } = options
  const began = performance.now()
  return await withWorld(urls.small, [smallApp], {
    progress: (text) => progress(`  small: ${text}`),
    work: (few) =>
      withWorld(urls.large, [smallApp, size], {
        progress: (text) => progress(`  large: ${text}`),
        async work(many) {
          const [{ bytes } = { bytes: '0' }] = await many.query<{ bytes: string }>(
            'select pg_database_size(current_database()) as bytes',
          )
          const minutes = ((performance.now() - began) / 60_000).toFixed(1)
          progress(`  filled in ${minutes} minutes, ${(Number(bytes) / 1e9).toFixed(1)} GB`)
          return await measure({ few, many }, rounds, progress)
        },
      }),
  })
}

async function measure(
  { few, many }: { few: World; many: World },
  rounds: number,
  progress: (text: string) => void,
): Promise<TenantsResult[]> {
  const [alone, beside, largest] = [few.tenants[0], ...many.tenants] as [Tenant, Tenant, Tenant]
  const usual = await asksOf(few, alone)
  const cells = [
    ...(await asksOf(many, beside)).map((ask) => ({ whose: 'small' as const, ask })),
    ...(await asksOf(many, largest)).map((ask) => ({ whose: 'large' as const, ask })),
  ].flatMap(({ whose, ask }) => {
    const same = usual.find(({ what }) => what === ask.what)
    const isNew = whose === 'small' || ask.of !== 'world'
    return same && isNew ? [{ whose, ask, same, large: [] as number[], small: [] as number[], every: 1 }] : []
  })
  // The first rounds only warm up, and show what takes so long that it is asked rarely.
  for (let round = -warmUps; round < rounds; round++) {
    for (const cell of cells) {
      if (round % cell.every !== 0) continue
      const isLargeFirst = round % 2 === 0
      const first = await timed(isLargeFirst ? cell.ask : cell.same, round)
      const second = await timed(isLargeFirst ? cell.same : cell.ask, round)
      const [large, small] = isLargeFirst ? [first, second] : [second, first]
      if (round < 0) {
        cell.every = large > veryLongMs ? rounds : large > longMs ? rarely : 1
      } else {
        cell.large.push(large)
        cell.small.push(small)
      }
    }
    if (round % 20 === 0) progress(`  round ${round} of ${rounds}`)
  }
  return cells.map(({ whose, ask: { what, of }, large, small }) => ({
    ...{ what, whose, large, small },
    isFlat: of !== 'app' || whose === 'small',
  }))
}

const warmUps = 10
const longMs = 150
const veryLongMs = 2000
/** Odd, so that each is first in turns. */
const rarely = 9

async function timed({ before, ask, after }: Ask, round: number): Promise<number> {
  const turn = round + warmUps
  await before?.(turn)
  const begun = process.hrtime.bigint()
  await ask(turn)
  const took = Number(process.hrtime.bigint() - begun) / 1e6
  await after?.(turn)
  return took
}
