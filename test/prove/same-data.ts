import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { startTestServer, type TestServer } from '../support/server.ts'
import { makeWorld } from '../support/world.ts'
import { type Kind, kindsOf, type Sight } from './support/both-versions.ts'
import { proof } from './support/proof.ts'

/** What is done through one version of the API is there in the other, at once and alike. */
export const sameData = proof({
  name: 'same-data',
  asked: '500 random operations through version 1.0 or 2.0, read through the other: 0 differences',
  full: { operations: 500 },
  quick: { operations: 90 },
  async run({ operations }, lab) {
    const server = await startTestServer({ databaseUrl: await lab.database('migrated') })
    try {
      const { applied, differences } = await compareVersions(server, operations, lab.progress)
      return {
        measured: `${operations} operations, ${applied} of them successful, ${differences.length} differences${differences.length > 0 ? `: ${differences.slice(0, 2).join('; ')}` : ''}`,
        pass: differences.length === 0 && applied > operations / 2,
      }
    } finally {
      await server.close()
    }
  },
})

export async function compareVersions(
  server: TestServer,
  operations: number,
  progress?: (text: string, done: number, all: number) => void,
) {
  const world = await makeWorld(server)
  const kinds = kindsOf(server.call, world)
  const known = new Map(kinds.map(({ name }) => [name, [] as number[]]))
  const plan = fc.sample(fc.tuple(fc.constantFrom(...kinds), fc.nat(), fc.nat(), fc.nat()), {
    numRuns: operations,
    seed: 20_261_115,
  })
  const differences: string[] = []
  let applied = 0
  for (const [n, [kind, which, how, whom]] of plan.entries()) {
    const { id, status, what } = await operate(kind, known.get(kind.name) ?? [], { which, how, whom, n })
    if (status < 300) applied++
    if (status >= 500) differences.push(`${kind.name} ${id}, ${what}: ${status}`)
    const sights = await Promise.all(kind.see.map((see) => see(id)))
    differences.push(...unequal(sights).map((text) => `${kind.name} ${id} after ${what}: ${text}`))
    progress?.('operations', n + 1, operations)
  }
  for (const kind of kinds) {
    const lists = await Promise.all(kind.lists.map((list) => list()))
    const [first = []] = lists
    if (lists.some((list) => !isDeepStrictEqual(list, first))) differences.push(`lists of ${kind.name}s differ`)
    if (first.length === 0) differences.push(`no ${kind.name} is left to compare lists of`)
  }
  return { applied, differences }
}

/** Makes, changes or removes a record: of three operations one makes, and of ten one removes. */
async function operate(
  { make, change, remove }: Kind,
  ids: number[],
  { which, how, whom, n }: { which: number; how: number; whom: number; n: number },
): Promise<{ id: number; status: number; what: string }> {
  const id = ids[whom % Math.max(1, ids.length)]
  if (id === undefined || which % 10 < 3) {
    const place = how % make.length
    const made = (await make[place]?.(n)) ?? 0
    ids.push(made)
    return { id: made, status: 201, what: `make ${place}` }
  }
  const [ways, word] = which % 10 === 9 ? ([remove, 'remove'] as const) : ([change, 'change'] as const)
  const place = how % ways.length
  const answer = await ways[place]?.(id, n)
  return { id, status: answer?.status ?? 500, what: `${word} ${place} (${answer?.status})` }
}

function unequal(sights: readonly Sight[]): string[] {
  const [first, ...others] = sights
  return others.flatMap((other, index) => {
    if (isDeepStrictEqual(first, other)) return []
    const show = (sight: Sight | undefined) => (typeof sight === 'object' ? differing(sight, first, other) : sight)
    return [`version 1.0 says ${show(first)}, way ${index + 1} of version 2.0 says ${show(other)}`]
  })
}

/** Only the fields that are not alike. */
function differing(sight: Readonly<Record<string, unknown>>, ...both: readonly (Sight | undefined)[]): string {
  const [a, b] = both.map((each) => (typeof each === 'object' ? each : {}))
  const names = Object.keys(sight).filter((name) => !isDeepStrictEqual(a?.[name], b?.[name]))
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, sight[name]]))).slice(0, 300)
}
