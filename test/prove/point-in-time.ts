import { randomUUID } from 'node:crypto'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { runEntrepot } from '../support/process.ts'
import { missingArchiving, startArchivingPostgres } from './support/archiving-postgres.ts'
import { data, type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import { keepWriting } from './support/keep-writing.ts'
import { proof } from './support/proof.ts'
import { changing, inFleet, settle, underWay } from './support/rough-sync.ts'
import { settingsFor } from './support/settings.ts'
import type { ShopProcess } from './support/shop-process.ts'
import { until } from './support/until.ts'

/** PostgreSQL's own tools bring back a moment between two writes, and the service goes on from there. */
export const pointInTime = proof({
  name: 'point-in-time',
  asked:
    'a base backup during a sync of 10,000 orders of which 1,000 change, while the API is written to and the log is archived; then all is lost and restored as of a moment between two parcels: what was acknowledged before it is there, what came after it is not, every sealed value opens, buyers are readable, no number is given out twice, the copy equals the shop again; both parcels asked for again under their keys: each in the shop once',
  missing: missingArchiving,
  full: { orders: 10_000, changes: 1000, changeSeconds: 60, writes: 100, settleSeconds: 900 },
  quick: { orders: 150, changes: 15, changeSeconds: 2, writes: 3, settleSeconds: 300 },
  async run({ orders, changes, changeSeconds, writes: between, settleSeconds }, lab) {
    const postgres = await startArchivingPostgres()
    try {
      await postgres.create('proof')
      await migrate({ url: postgres.urlOf('proof'), log: createLog('warn') })
      return await withFleet(postgres.urlOf('proof'), async (fleet) => {
        const [shop, merchant, worker] = await Promise.all([
          fleet.startShop({ platform: 'woocommerce', orders }),
          fleet.makeMerchant(),
          fleet.startWorker(),
        ])
        const copying = { fleet, merchant, shop, id: await merchant.install(shop) }
        const send = parcels(merchant, shop, copying.id)
        const change = changing(shop, changes, changeSeconds)
        const writes = keepWriting(merchant)
        const written = (n: number) => until('so much is written', async () => writes.sofar().length >= n)
        await underWay(copying)
        await written(1)
        lab.progress('base backup')
        await postgres.baseBackup()
        await written(writes.sofar().length + between)
        const first = await send(fleet)
        const before = writes.sofar()
        const [clock] = await fleet.query<{ moment: string }>('select clock_timestamp()::text as moment')
        // One may be on its way at that moment: nobody can say on which side of it.
        const since = writes.sofar().length + 1
        await written(since + between)
        const second = await send(fleet)
        await change.stop()
        const after = (await writes.stop()).slice(since)
        const given = await newestAccount(fleet)
        await postgres.archived()
        await worker.kill()
        fleet.api.signal('SIGKILL')
        await postgres.lose()
        lab.progress('restore')
        await postgres.restore(clock?.moment ?? '')
        const url = postgres.urlOf('proof')
        const checked = await runEntrepot(['restore', '--in-place', '--json'], { env: settingsFor(url) })
        if (checked.code !== 0) throw new Error(`The restore failed: ${checked.stderr}`)
        const sealed: { opened: number; unreadable: unknown[] } = JSON.parse(checked.stdout)
        return await withFleet(url, async (again) => {
          const there = async (names: readonly string[]) =>
            (await again.query('select 1 from accounts where remote_id = any($1)', [names])).length
          const missing = before.length - (await there(before))
          const undone = await there(after)
          await again.startWorker()
          lab.progress('calm again')
          const back = inFleet(merchant, again)
          const copy = await settle({ ...copying, fleet: again, merchant: back }, settleSeconds)
          const readable = await buyersOf(back, copying.id)
          data(await back.call('POST', '/accounts', { remote_id: 'written-anew' }))
          const repeated = (await newestAccount(again)) <= given
          for (const parcel of [first, second]) await send(again, parcel)
          const sent = (await shop.ledger()).filter(({ operation }) => operation === 'shipment.create').length
          const doubles = await shop.get<unknown[]>('/_ledger/doubles')
          return {
            measured: `${missing} of ${before.length} writes acknowledged before the moment missing, ${undone} of ${after.length} after it there; ${sealed.opened} sealed values open, ${sealed.unreadable.length} do not; ${readable.open} of ${readable.asked} buyers readable; numbers ${repeated ? 'given out twice' : 'go on further on'}; ${copy.text}; 2 parcels asked for twice, ${sent} sent, ${doubles.length} double effects`,
            pass:
              before.length > between &&
              missing === 0 &&
              after.length >= between &&
              undone === 0 &&
              sealed.opened > 0 &&
              sealed.unreadable.length === 0 &&
              readable.asked > 0 &&
              readable.open === readable.asked &&
              !repeated &&
              copy.same &&
              sent === 2 &&
              doubles.length === 0,
          }
        })
      })
    } finally {
      await postgres.remove()
    }
  },
})

interface Parcel {
  key: string
  body: object
}

/** Of an order that is paid and has none; or one that was asked for, under the same key. */
const parcels =
  (merchant: Merchant, shop: ShopProcess, id: number) =>
  async (fleet: Fleet, known?: Parcel): Promise<Parcel> => {
    const parcel = known ?? (await newParcel(shop))
    const answer = await until('the parcel is sent', async () => {
      const reply = await fleet.http.call(`${fleet.api.url}/api/2.0/app/integrations/${id}/action`, {
        method: 'POST',
        token: merchant.appToken,
        body: parcel.body,
        headers: { 'idempotency-key': parcel.key },
      })
      return ![409, 429, 503].includes(reply.status) && reply
    })
    data(answer)
    return parcel
  }

async function newParcel(shop: ShopProcess): Promise<Parcel> {
  const order = (await shop.truth()).find(
    ({ stage, custom_status, parcels }) => stage === 'paid' && custom_status === null && parcels === 0,
  )
  if (!order) throw new Error('The shop has no order to send.')
  const key = randomUUID()
  const fields = { order_remote_id: order.remote_id, tracking_number: `T-${key}`, carrier: 'DHL' }
  return { key, body: { resource: 'create_shipment', ...fields } }
}

const newestAccount = async (fleet: Fleet): Promise<number> =>
  Number((await fleet.query<{ id: string }>('select max(id) as id from accounts'))[0]?.id)

/** Whether the buyers of a page of orders are there, not only closed. */
async function buyersOf(merchant: Merchant, id: number): Promise<{ asked: number; open: number }> {
  const { json } = await merchant.call('GET', `/orders?integration_id=${id}&per_page=50`)
  const orders = json['data'] as { customer: { email?: string | null } | null }[]
  return { asked: orders.length, open: orders.filter(({ customer }) => customer?.email).length }
}
