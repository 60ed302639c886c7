import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runEntrepot } from '../support/process.ts'
import { withFleet } from './support/fleet.ts'
import { keepWriting } from './support/keep-writing.ts'
import { proof } from './support/proof.ts'
import { changing, inFleet, settle, underWay } from './support/rough-sync.ts'
import { settingsFor } from './support/settings.ts'
import { until } from './support/until.ts'

/** A backup that is made while everything is in motion brings a service back that goes on. */
export const restore = proof({
  name: 'restore',
  asked:
    'a backup taken during a sync of 10,000 orders of which 1,000 change, while the API is written to; then all is lost and restored into another database: every sealed value opens, nothing acknowledged before the backup is missing, the copy equals the shop again, 0 double effects in the shop',
  full: { orders: 10_000, changes: 1000, changeSeconds: 60, settleSeconds: 900 },
  quick: { orders: 150, changes: 15, changeSeconds: 2, settleSeconds: 300 },
  async run({ orders, changes, changeSeconds, settleSeconds }, lab) {
    const [lost, anew] = [await lab.database('migrated'), await lab.database('empty')]
    const folder = await mkdtemp(join(tmpdir(), 'entrepot-restore-'))
    const file = join(folder, 'backup')
    try {
      return await withFleet(lost, async (fleet) => {
        const [shop, merchant, worker] = await Promise.all([
          fleet.startShop({ platform: 'woocommerce', orders }),
          fleet.makeMerchant(),
          fleet.startWorker(),
        ])
        const copying = { fleet, merchant, shop, id: await merchant.install(shop) }
        const change = changing(shop, changes, changeSeconds)
        const writes = keepWriting(merchant)
        await underWay(copying)
        await until('something is written', async () => writes.lastAt() > 0)
        const before = writes.sofar()
        lab.progress('backup')
        const saved = await runEntrepot(['backup', '--to', file, '--json'], { env: settingsFor(lost) })
        if (saved.code !== 0) throw new Error(`The backup failed: ${saved.stderr}`)
        await change.stop()
        await writes.stop()
        await worker.kill()
        fleet.api.signal('SIGKILL')
        lab.progress('restore')
        const restored = await runEntrepot(['restore', '--from', file, '--json'], { env: settingsFor(anew) })
        const sealed = restored.code === 0 ? JSON.parse(lastLine(restored.stdout)) : { opened: 0, unreadable: [] }
        return await withFleet(anew, async (second) => {
          await second.startWorker()
          lab.progress('calm again')
          const copy = await settle({ ...copying, fleet: second, merchant: inFleet(merchant, second) }, settleSeconds)
          const kept = await second.query('select remote_id from accounts where remote_id = any($1)', [before])
          const doubles = await shop.get<unknown[]>('/_ledger/doubles')
          const missing = before.length - kept.length
          return {
            measured: `${sealed.opened} sealed values open, ${sealed.unreadable.length} do not; ${missing} of ${before.length} writes acknowledged before the backup missing; ${copy.text}; ${doubles.length} double effects`,
            pass:
              sealed.opened > 0 &&
              sealed.unreadable.length === 0 &&
              before.length > 0 &&
              missing === 0 &&
              copy.same &&
              doubles.length === 0,
          }
        })
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  },
})

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
