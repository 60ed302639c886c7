import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { sqlState } from '../../src/runtime/db/database-away.ts'

/** Databases of one server, which is named by the address of any of them. */

/** The one with a crowd of tenants in it (`crowd.ts`). */
export const crowdedTemplate = 'crowded'

/** The one on which the program has started before, and nobody has used it. */
export const startedTemplate = 'started'

/** Makes it. A process of its own, so that a run that finds it made loads nothing of the program. */
export async function makeStarted(serverUrl: string): Promise<void> {
  await clone(serverUrl, startedTemplate, templateOf(serverUrl))
  const script = join(import.meta.dirname, 'start-once.ts')
  await promisify(execFile)(process.execPath, [script, urlOf(serverUrl, startedTemplate)])
}

export async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(serverUrl, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Copied file by file: two or three times as fast as through the log, which nobody here reads. */
export const clone = (serverUrl: string, name: string, template: string): Promise<void> =>
  whenFree(serverUrl, template, `create database ${name} template ${template} strategy file_copy`)

export const drop = (serverUrl: string, name: string): Promise<void> =>
  whenFree(serverUrl, name, `drop database if exists ${name} with (force)`)

/** Citus looks after each database in a process of its own, which comes back by itself, and has to be out of the way meanwhile. */
async function whenFree(serverUrl: string, name: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(serverUrl, statement)
    } catch (error) {
      if (sqlState(error) !== '55006' || attempt >= 5) throw error
      await administer(serverUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    }
  }
}

export const templateOf = (url: string): string => new URL(url).pathname.slice(1)

export const urlOf = (serverUrl: string, name: string): string => {
  const changed = new URL(serverUrl)
  changed.pathname = `/${name}`
  return changed.href
}
