import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A database of one's own, with all tables and no rows. */
export const createTestDatabase = (): Promise<TestDatabase> => createFrom(databaseIn(inject('templateUrl')))

/** An empty one, for tests of the migrations themselves. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createFrom('template1')

async function createFrom(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template ${template}`)
  return {
    url: withDatabase(inject('templateUrl'), name),
    drop: () => administer(`drop database if exists ${name} with (force)`),
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(inject('templateUrl'), 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const databaseIn = (url: string): string => new URL(url).pathname.slice(1)

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
