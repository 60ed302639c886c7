import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../src/domain/context.ts'
import { drawLots } from '../support/chance.ts'
import { makeIntegration } from '../support/gateway.ts'
import { listenTcp } from '../support/loopback.ts'
import { type Fleet, withFleet } from './support/fleet.ts'
import { withContext } from './support/identities.ts'
import { proof } from './support/proof.ts'
import { settingsFor } from './support/settings.ts'
import { until } from './support/until.ts'

interface Figures {
  seconds: number
  writers: number
  rows: number
  /** Between two kills of the follower; every third time the server goes with it. */
  killEverySeconds: number
}

/** The client library's follower, killed and restarted with the server under writers, sees every order's last version once. */
export const follower = proof<Figures>({
  name: 'follower',
  asked:
    '`client.orders.follow` for 5 minutes under 8 writers that commit out of order, its process killed every 5 s and the server every 15 s: 0 missed, 0 repeated',
  full: { seconds: 300, writers: 8, rows: 500, killEverySeconds: 5 },
  quick: { seconds: 6, writers: 4, rows: 60, killEverySeconds: 2 },
  async run(figures, lab) {
    const url = await lab.database('migrated')
    return await withFleet(url, (fleet) =>
      withContext(settingsFor(url), async (context) => {
        const { appId, appToken } = await fleet.makeMerchant()
        const { integration } = await makeIntegration(context, { appId })
        await prepare(fleet, integration.id, figures.rows)
        const door = await openDoor(() => fleet.api.url)
        const env = {
          PATH: process.env['PATH'] ?? '',
          FOLLOWED_URL: `http://127.0.0.1:${door.port}`,
          FOLLOWED_TOKEN: appToken,
          FOLLOWED_SHOP: String(integration.id),
          FOLLOWER_DATABASE: url,
        }
        const kills = { follower: 0, server: 0 }
        let child = startFollower(env)
        try {
          const endsAt = Date.now() + figures.seconds * 1000
          const writing = Promise.all(
            Array.from({ length: figures.writers }, () => write(context, integration.id, figures.rows, endsAt)),
          )
          while (Date.now() + figures.killEverySeconds * 1000 < endsAt) {
            await sleep(figures.killEverySeconds * 1000 * (0.5 + lots.fraction()))
            await end(child)
            kills.follower++
            if (kills.follower % 3 === 0) {
              fleet.api.signal('SIGKILL')
              fleet.api = await fleet.startApi()
              kills.server++
            }
            child = startFollower(env)
            lab.progress('seconds left', Math.max(0, Math.round((endsAt - Date.now()) / 1000)), figures.seconds)
          }
          const changes = (await writing).reduce((sum, each) => sum + each, 0)
          await until('the last versions were seen', async () => (await missed(fleet, integration.id)) === 0, {
            seconds: 60,
          }).catch(() => undefined)
          return await judge(fleet, integration.id, { changes, kills })
        } finally {
          await end(child)
          await door.close()
        }
      }),
    )
  },
})

const lots = drawLots('follower')

async function prepare(fleet: Fleet, shop: number, rows: number): Promise<void> {
  await fleet.query(
    'create table follower_saw (nth bigint generated always as identity, order_id bigint, version text)',
  )
  await fleet.query('create table follower_place (cursor text)')
  await fleet.query('insert into follower_place values (null)')
  await fleet.query(
    `insert into orders (integration_id, remote_id, number, status, currency, total)
     select $1::bigint, n::text, '0', 'PENDING', 'EUR', 1 from generate_series(1, $2::int) n`,
    [shop, rows],
  )
}

let version = 0

/** Transactions of any length, each with a few rows: they commit in another order than they began. */
async function write({ db }: Context, shop: number, rows: number, endsAt: number): Promise<number> {
  let changes = 0
  while (Date.now() < endsAt) {
    const ids = [...new Set(Array.from({ length: 1 + lots.below(4) }, () => 1 + lots.below(rows)))].sort(
      (a, b) => a - b,
    )
    await db.transaction().execute(async (trx) => {
      await sql`select pg_sleep(${lots.fraction() ** 3 * 0.3}::float8)`.execute(trx)
      for (const id of ids) {
        await sql`update orders set number = ${String(++version)}, updated_at = now()
          where integration_id = ${shop} and remote_id = ${String(id)}`.execute(trx)
      }
      await sql`select pg_sleep(${lots.fraction() ** 3 * 0.5}::float8)`.execute(trx)
    })
    changes += ids.length
  }
  return changes
}

/** The same address, whichever server stands behind it. */
const openDoor = (target: () => string) =>
  listenTcp((near) => {
    const { hostname, port } = new URL(target())
    const far = connect(Number(port), hostname)
    near.pipe(far).pipe(near)
    far.on('error', () => near.destroy())
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })

const startFollower = (env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'support/follower-process.ts')], { env, stdio: 'ignore' })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function missed(fleet: Fleet, shop: number): Promise<number> {
  const [found] = await fleet.query<{ n: number }>(
    `select count(*)::int as n from orders o where integration_id = $1
       and not exists (select from follower_saw s where s.order_id = o.id and s.version = o.number)`,
    [shop],
  )
  return found?.n ?? -1
}

async function judge(
  fleet: Fleet,
  shop: number,
  { changes, kills }: { changes: number; kills: { follower: number; server: number } },
) {
  const [seen] = await fleet.query<{ n: number; repeated: number }>(
    `select count(*)::int as n, (count(*) - count(distinct (order_id, version)))::int as repeated from follower_saw`,
  )
  const left = await missed(fleet, shop)
  return {
    measured: `${changes} changes written, ${seen?.n} seen; follower killed ${kills.follower} times, server ${kills.server} times; ${left} missed, ${seen?.repeated} repeated`,
    pass: left === 0 && seen?.repeated === 0 && kills.follower > 0 && changes > 0,
  }
}
