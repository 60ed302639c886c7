import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { clone, crowdedTemplate, drop, startedTemplate, templateOf, urlOf } from './databases.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Who else is in the tables: nobody, or a thousand shops of other tenants (`crowd.ts`). */
export type Neighbours = 'nobody' | 'crowd'

/** A database of one's own, with all tables and no rows but those of the neighbours. */
export const createTestDatabase = (neighbours: Neighbours = 'nobody'): Promise<TestDatabase> =>
  createFrom(neighbours === 'crowd' ? crowdedTemplate : templateOf(inject('templateUrl')))

/** One on which the program has started before: it finds the tables of its queue and the catalogue. Nobody else is in it. */
export const createStartedDatabase = (): Promise<TestDatabase> => createFrom(startedTemplate)

/** An empty one, for tests of the migrations themselves. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createFrom(inject('emptyDatabase'))

async function createFrom(template: string): Promise<TestDatabase> {
  const server = inject('templateUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await clone(server, name, template)
  return {
    url: urlOf(server, name),
    drop: () => drop(server, name),
  }
}
