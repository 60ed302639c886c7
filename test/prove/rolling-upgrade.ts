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
import { countStatuses, steadyLoad } from './support/steady-load.ts'
import {
  storedMessages,
  type TellingShop,
  type ToldMessage,
  tellingShop,
  toldMessage,
} from './support/told-messages.ts'

/**
 * Two versions at work on one database: the next one comes in process by process, and is taken back again. The version before is
 * this program and the next one has a migration more; or it is in the folder of PROVE_VERSION_BEFORE, and this one is the next.
 */
export const rollingUpgrade = proof({
  name: 'rolling-upgrade',
  asked:
    'two API processes and a worker are replaced one by one by the next version, which migrates, and then by the version before again, under 100 requests/s and during a sync of 5,000 orders of which 500 change, while the shop sends 20 messages/s, each of them twice: 0 failed requests, 0 lost, 0 messages stored twice, 0 double effects in the shop',
  full: { orders: 5000, changes: 500, changeSeconds: 60, perSecond: 100, told: 20, settleSeconds: 600, replaced: 3 },
  quick: { orders: 100, changes: 10, changeSeconds: 2, perSecond: 20, told: 10, settleSeconds: 300, replaced: 1 },
  async run({ orders, changes, changeSeconds, perSecond, told, settleSeconds, replaced }, lab) {
    const before = process.env['PROVE_VERSION_BEFORE']
    const url = await lab.database(before ? 'empty' : 'migrated')
    const made = before ? undefined : await nextVersion()
    try {
      const upgrade = async (fleet: Fleet) => {
        const settings = settingsFor(url, { EGRESS_ALLOW: '127.0.0.1', NODE_ENV: 'development', ENTREPOT_ROLE: 'api' })
        const [shop, merchant] = await Promise.all([
          fleet.startShop({ platform: 'woocommerce', orders }),
          fleet.makeMerchant(),
        ])
        const id = await merchant.install(shop)
        const servers = [await startServer(settings, { root: before }), await startServer(settings, { root: before })]
        let worker = await startServer({ ...settings, ENTREPOT_ROLE: 'worker' }, { root: before })
        const balanced = balancer(servers.map((server) => server.url))
        const token = merchant.appToken
        const path = `/api/2.0/app/orders?integration_id=${id}&per_page=15`
        const load = steadyLoad({ perSecond, next: () => ({ url: path, token }), http: balanced })
        const writes = await keepSettingStock({ fleet, merchant, shop, id, servers })
        const telling = await tellingShop({ shop, merchant, id }, settings)
        const messages = tellTwice(telling, { perSecond: told, servers })
        const migrations = 'select count(*)::int as n from migrations'
        const [applied] = await fleet.query<{ n: number }>(migrations)
        const change = changing(shop, changes, changeSeconds)
        const steps: [string, string | undefined][] = [
          ['the next version', made],
          ['the version before', before],
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
        await messages.stop()
        lab.progress('calm again')
        const copy = await settle({ fleet, merchant, shop, id }, settleSeconds)
        const stored = await storedMessages(fleet, telling, settleSeconds)
        await Promise.all([...servers, worker].map((server) => server.stop()))
        const [now] = await fleet.query<{ n: number }>(migrations)
        const kept = new Set(stored.ids)
        const lost = messages.ids().filter((each) => !kept.has(each)).length
        const refused = messages.sent.filter(({ status }) => status !== 200)
        const doubles = await shop.get<unknown[]>('/_ledger/doubles')
        const failed = load.sent.filter(({ status }) => status !== 200)
        const example = failed[0] ? ` (${failed[0].problem ?? failed[0].status})` : ''
        return {
          measured: `${2 * replaced} processes replaced; ${failed.length} of ${load.sent.length} requests failed${example}; ${written.failed} of ${written.asked} changes of stock failed, ${doubles.length} made twice; ${messages.sent.length} messages sent: ${countStatuses(messages.sent)}, ${lost} lost, ${stored.ids.length - kept.size} stored twice, ${stored.failed} failed; ${copy.text}`,
          pass:
            Number(now?.n) > Number(applied?.n) &&
            [refused.length, lost, stored.ids.length - kept.size, stored.failed].every((n) => n === 0) &&
            kept.size > 0 &&
            failed.length === 0 &&
            written.failed === 0 &&
            written.asked > 0 &&
            doubles.length === 0 &&
            copy.same,
        }
      }
      return await withFleet(url, upgrade, {}, before)
    } finally {
      if (made) await rm(made, { recursive: true })
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

/** By whichever server has its turn: most often each of the two takes it once. */
function tellTwice(
  shop: TellingShop,
  { perSecond, servers }: { perSecond: number; servers: readonly ServerProcess[] },
) {
  const told: ToldMessage[] = []
  const load = steadyLoad({
    perSecond: 2 * perSecond,
    http: balancer(servers.map((server) => server.url)),
    next: (n) => {
      const place = Math.floor(n / 2)
      const { id, headers, body } = told[place] ?? toldMessage(shop, place)
      told[place] = { id, headers, body }
      return { url: shop.path, method: 'POST', headers, body }
    },
  })
  return { ...load, ids: () => told.map(({ id }) => id) }
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
