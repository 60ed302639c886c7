import { type Kysely, sql } from 'kysely'
import { asNobodys } from '../../../lib/turns/piece-of-work.ts'
import type { Tables } from '../tables.gen.ts'
import { afterCommit } from './around-commit.ts'

type Db = Kysely<Tables>

interface Channels {
  waiting: Map<string, Set<string>>
  isSaying: boolean
}

const channelsOf = new WeakMap<Db, Channels>()

/**
 * Notifies as soon as the transaction has committed, in company: while one statement is under way, what others have to say is
 * gathered for the next. A transaction that notifies itself holds a lock of the whole server until its commit is on disk, so that
 * all of them would queue behind each other. Should the process die in between, nobody is notified: whoever listens looks around
 * now and then.
 */
export function notifyTogether(trx: Db, channel: string, payloads: readonly string[]): void {
  if (payloads.length === 0) return
  afterCommit(trx, (database) => {
    const channels = channelsOf.get(database) ?? { waiting: new Map(), isSaying: false }
    channelsOf.set(database, channels)
    const words = channels.waiting.get(channel) ?? new Set()
    channels.waiting.set(channel, words)
    for (const payload of payloads) words.add(payload)
    void asNobodys(() => sayAll(database, channels))
  })
}

async function sayAll(database: Db, channels: Channels): Promise<void> {
  if (channels.isSaying) return
  channels.isSaying = true
  try {
    while (channels.waiting.size > 0) {
      const said = [...channels.waiting].flatMap(([channel, words]) => [...words].map((word) => ({ channel, word })))
      channels.waiting.clear()
      // Nothing is lost with it, so no disk is waited for.
      await sql`
        select set_config('synchronous_commit', 'off', true), pg_notify(channel, word)
        from unnest(${said.map(({ channel }) => channel)}::text[], ${said.map(({ word }) => word)}::text[])
          as said (channel, word)`.execute(database)
    }
  } catch {
    // The database is away or closed: whoever listens finds out what there is once it is back.
  } finally {
    channels.isSaying = false
  }
}
