import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { compose } from '../../src/compose.ts'
import { readCredentials, sealFor } from '../../src/domain/integrations/credentials-store.ts'
import type { KeyRing } from '../../src/lib/secret-box.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import { createLog } from '../../src/runtime/log.ts'
import { runEntrepot, startEntrepot } from '../support/process.ts'
import { proof } from './support/proof.ts'

/** A rotation of the master key that is killed half-way goes on where it stopped, and nobody notices meanwhile. */
export const keyRotation = proof({
  name: 'key-rotation',
  asked: '10,000 credentials, the rotation killed half-way: it resumes, 0 failed reads, 0 rows on the old key',
  full: { credentials: 10_000 },
  quick: { credentials: 400 },
  async run({ credentials }, lab) {
    const url = await lab.database('migrated')
    const [oldKey, newKey] = [
      { id: 'old', key: randomBytes(32) },
      { id: 'new', key: randomBytes(32) },
    ]
    const ring: KeyRing = [newKey, oldKey]
    const config = {
      publicUrl: 'http://127.0.0.1',
      tls: null,
      trustProxy: [],
      egressAllow: [],
      rateLimits: { user: 1, client: 1, account: 1, token: 1, failed: 1, refused: 1, page: 1 },
    }
    const parts = { config, databaseUrl: url, log: createLog('silent'), serves: false, works: false }
    const program = await compose({ ...parts, keys: ring })
    const { db } = program.context
    try {
      lab.progress(`${credentials} credentials are sealed with the old key`)
      const ids = await makeCredentials(db, [oldKey], credentials)
      const reading = readAllTheTime(db, ring, ids)
      const text = ({ id, key }: { id: string; key: Buffer }) => `${id}:${key.toString('base64')}`
      const env = { DATABASE_URL: url, ENTREPOT_MASTER_KEYS: `${text(newKey)},${text(oldKey)}` }
      // Somebody holds a secret in the middle, so that the rotation is half done when it is killed, however fast it is.
      const first = await db.transaction().execute(async (trx) => {
        await sql`select from credentials where integration_id = ${ids[credentials / 2]} for update`.execute(trx)
        const rotation = startEntrepot(['rotate-keys'], { env })
        while ((await left(trx)) > credentials / 2 && rotation.exitCode === null) await sleep(10)
        rotation.kill('SIGKILL')
        return rotation
      })
      if (first.exitCode === null && first.signalCode === null) await once(first, 'exit')
      const half = await left(db)
      lab.progress(`killed with ${half} left; once more`)
      const { code } = await runEntrepot(['rotate-keys', '--json'], { env })
      const { reads, failed } = await reading.stop()
      const remaining = await left(db)
      return {
        measured: `killed with ${half} of ${credentials} on the old key; then ${remaining}; ${reads} reads meanwhile, ${failed} failed`,
        pass: code === 0 && half > 0 && half < credentials && remaining === 0 && reads > 0 && failed === 0,
      }
    } finally {
      await program.close()
    }
  },
})

const left = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from credentials where key_id = 'old'`.execute(db)
  return rows[0]?.n ?? 0
}

const ownerOf = (id: number) => ({ id, app_id: null, shop: 'shop.example.com', settings: {} })

async function makeCredentials(db: Db, keys: KeyRing, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into integrations (service_id, name, type, shop, status)
    select (select id from services where type = 'sandbox'), 'Shop', 'sandbox', 'shop.example.com', 'ACTIVE'
    from generate_series(1, ${count}::int) n returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += 1000) {
    await db
      .insertInto('credentials')
      .values(
        ids.slice(from, from + 1000).map((id) => ({
          integration_id: id,
          sealed: sealFor(keys, ownerOf(id), JSON.stringify({ api_key: `secret-${id}` })),
          key_id: keys[0].id,
        })),
      )
      .execute()
  }
  return ids
}

/** Reads one after the other, over and over, and holds each against what was sealed. */
function readAllTheTime(db: Db, keys: KeyRing, ids: readonly number[]) {
  let stopped = false
  const counts = { reads: 0, failed: 0 }
  const done = (async () => {
    for (let at = 0; !stopped; at = (at + 37) % ids.length) {
      const id = ids[at] ?? 0
      const stored = await readCredentials(db, keys, ownerOf(id)).catch(() => null)
      counts.reads++
      if (stored?.credentials['api_key'] !== `secret-${id}`) counts.failed++
    }
  })()
  return {
    async stop() {
      stopped = true
      await done
      return counts
    },
  }
}
