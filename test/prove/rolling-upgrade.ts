import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { balancer } from './support/balancer.ts'
import { type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { changing, settle } from './support/rough-sync.ts'
import { type ServerProcess, startServer } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'
import type { ShopProcess } from './support/shop-process.ts'
import { steadyLoad } from './support/steady-load.ts'

/** Two versions at work on one database: the next one comes in process by process, and is taken back again. */
export const rollingUpgrade = proof({
  name: 'rolling-upgrade',
  asked:
    'two API processes and a worker are replaced one by one by the next version, which migrates, and then by the version before again, under 100 requests/s and during a sync of 5,000 orders of which 500 change: 0 failed requests, 0 lost, 0 double effects in the shop',
  full: { orders: 5000, changes: 500, changeSeconds: 60, perSecond: 100, settleSeconds: 600, replaced: 3 },
  quick: { orders: 100, changes: 10, changeSeconds: 2, perSecond: 20, settleSeconds: 90, replaced: 1 },
  async run({ orders, changes, changeSeconds, perSecond, settleSeconds, replaced }, lab) {
    const url = await lab.database('migrated')
    const next = await nextVersion()
    try {
      return await withFleet(url, async (fleet) => {
        const settings = settingsFor(url, { EGRESS_ALLOW: '127.0.0.1', NODE_ENV: 'development', ENTREPOT_ROLE: 'api' })
        const [shop, merchant] = await Promise.all([
          fleet.startShop({ platform: 'woocommerce', orders }),
          fleet.makeMerchant(),
        ])
        const id = await merchant.install(shop)
        const servers = [await startServer(settings), await startServer(settings)]
        let worker = await startServer({ ...settings, ENTREPOT_ROLE: 'worker' })
        const balanced = balancer(servers.map((server) => server.url))
        const token = merchant.appToken
        const path = `/api/2.0/app/orders?integration_id=${id}&per_page=15`
        const load = steadyLoad({ perSecond, next: () => ({ url: path, token }), http: balanced })
        const writes = await keepSettingStock({ fleet, merchant, shop, id, servers })
        const change = changing(shop, changes, changeSeconds)
        const steps: [string, string | undefined][] = [
          ['the next version', next],
          ['the version before', undefined],
        ]
        for (const [what, root] of steps) {
          for (const [place, server] of servers.slice(0, replaced).entries()) {
            lab.progress(`${what}: API process`, place + 1, servers.length)
            await sleep(1000)
            await server.stop()
            servers[place] = await startServer(settings, { port: Number(new URL(server.url).port), root })
          }
          if (replaced <= servers.length) continue
          lab.progress(`${what}: worker`)
          await worker.stop()
          worker = await startServer({ ...settings, ENTREPOT_ROLE: 'worker' }, { root })
        }
        await change.stop()
        await load.stop()
        const written = await writes.stop()
        lab.progress('calm again')
        const copy = await settle({ fleet, merchant, shop, id }, settleSeconds)
        await Promise.all([...servers, worker].map((server) => server.stop()))
        const [added] = await fleet.query<{ n: number }>(
          `select count(*)::int as n from migrations where name like '9999%'`,
        )
        const doubles = await shop.get<unknown[]>('/_ledger/doubles')
        const failed = load.sent.filter(({ status }) => status !== 200)
        const example = failed[0] ? ` (${failed[0].problem ?? failed[0].status})` : ''
        return {
          measured: `${2 * replaced} processes replaced; ${failed.length} of ${load.sent.length} requests failed${example}; ${written.failed} of ${written.asked} changes of stock failed, ${doubles.length} made twice; ${copy.text}`,
          pass:
            added?.n === 1 &&
            failed.length === 0 &&
            written.failed === 0 &&
            written.asked > 0 &&
            doubles.length === 0 &&
            copy.same,
        }
      })
    } finally {
      await rm(next, { recursive: true })
    }
  },
})

/** This program with a migration more, which adds what the version before does not know. */
async function nextVersion(): Promise<string> {
  const here = fileURLToPath(new URL('../..', import.meta.url))
  const root = await mkdtemp(join(tmpdir(), 'entrepot-next-'))
  for (const part of ['src', 'bin', 'migrations', 'package.json'])
    await cp(join(here, part), join(root, part), { recursive: true })
  for (const part of ['node_modules', 'web', 'docs', 'packages']) await symlink(join(here, part), join(root, part))
  await writeFile(
    join(root, 'migrations/9999_next_version.sql'),
    `alter table orders add column next_version text;
     alter table integrations add column next_version text not null default 'yes';
     create table next_version (id bigint primary key);`,
  )
  return root
}

interface Setting {
  fleet: Fleet
  merchant: Merchant
  shop: ShopProcess
  id: number
  servers: readonly ServerProcess[]
}

/** Each under a key of its own, asked for again under the same key where no answer came, as a careful caller does. */
async function keepSettingStock({ fleet, merchant, shop, id, servers }: Setting) {
  const [article] = await shop.get<{ sku: string; location_remote_id: string | null }[]>('/_truth/inventory')
  const tally = { asked: 0, failed: 0 }
  let running = true
  const loop = (async () => {
    for (let n = 0; running; n++) {
      const key = randomUUID()
      const ask = (attempt: number) =>
        fleet.http
          .call(`${servers[(n + attempt) % servers.length]?.url}/api/2.0/app/integrations/${id}/action`, {
            method: 'POST',
            token: merchant.appToken,
            body: {
              resource: 'set_inventory',
              items: [{ sku: article?.sku, location: article?.location_remote_id ?? null, quantity: 1000 + n }],
            },
            headers: { 'idempotency-key': key },
          })
          .catch(() => null)
      let answer = await ask(0)
      for (let attempt = 1; attempt < 100 && (answer === null || [409, 429, 503].includes(answer.status)); attempt++) {
        await sleep(200)
        answer = await ask(attempt)
      }
      tally.asked++
      if (!answer || answer.status >= 300) tally.failed++
      await sleep(200)
    }
  })()
  return {
    async stop() {
      running = false
      await loop
      return tally
    },
  }
}
