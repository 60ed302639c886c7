import type { Connector } from '../../commerce/connector.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import type { WantedRefund } from '../../commerce/refund.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import type { PartReport } from './try-part.ts'
import { type PartName, type Step, stepFailed, stepSkipped, trying } from './try-step.ts'
import { dryRemote } from './watched-remote.ts'

/** What each change would send, on the records of the sample. Nothing of it is sent. */
export async function tryWrites(
  { orders, inventory, shipments, refunds }: Connector,
  definition: Definition,
  shop: Shop,
  reports: readonly PartReport[],
): Promise<Step[]> {
  const operation = { id: 'trial' }
  const idOf = (part: PartName, name: string): string | null => {
    const value = Object(reports.find((report) => report.part === part)?.ours)[name]
    return typeof value === 'string' ? value : null
  }
  const [remoteId, sku] = [idOf('orders', 'remote_id'), idOf('inventory', 'sku')]
  const steps: Step[] = []
  const dry = (part: PartName, what: string, work: (shop: Shop) => Promise<unknown>) =>
    trying('dry write', part, async () => {
      const { remote, kept } = dryRemote(shop.remote, isList(definition))
      const done = await outcome(() => work({ ...shop, remote }))
      const [request] = kept
      if (request) return `${what} would be sent as ${shown(request)}.`
      if (done instanceof Error) throw done
      const why = refusalIn(done)
      if (why !== null) return stepFailed('dry write', part, `${what} is not possible: ${why}`)
      return stepSkipped('dry write', part, `${what}: there is nothing to change on the first record.`)
    })
  if (orders?.cancel && remoteId !== null) {
    const { cancel } = orders
    steps.push(await dry('orders', 'A cancellation', (at) => cancel.send(at, { remoteId, reason: 'trial' }, operation)))
  }
  if (shipments && remoteId !== null) {
    const draft = { order_remote_id: remoteId, tracking_number: 'TRIAL-1', carrier: 'Trial' }
    steps.push(await dry('orders', 'A parcel', (at) => shipments.create.send(at, draft, operation)))
  }
  if (refunds && remoteId !== null) {
    const [line] = Object(reports.find(({ part }) => part === 'orders')?.ours)['lines'] ?? []
    const lines = refunds.by.includes('lines') && line ? [{ order_line_remote_id: line.remote_id, quantity: 1 }] : []
    const refund: WantedRefund = {
      ...{ order_remote_id: remoteId, currency: idOf('orders', 'currency') ?? 'EUR', amount: '1.00', restock: false },
      ...{ lines: lines.map((one) => ({ ...one, amount: '1.00' })), reason: 'trial' },
      before: { refunds: [], refunded: '0' },
    }
    steps.push(await dry('orders', 'A refund', (at) => refunds.create.send(at, refund, operation)))
  }
  if (inventory?.set && sku !== null) {
    const { set } = inventory
    const level = Number(Object(reports.find(({ part }) => part === 'inventory')?.ours)['available'])
    steps.push(await dry('inventory', 'A level', (at) => set.send(at, [{ sku, quantity: level + 1 }], operation)))
  }
  return steps
}

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    return error
  }
}

/** Levels are answered one by one: what was refused of them says why. */
const refusalIn = (done: unknown): string | null =>
  Array.isArray(done) ? (done.find((one) => one?.ok === false)?.error ?? null) : null

/** Lists that are asked for by POST change nothing. */
const isList =
  ({ orders, products, inventory }: Definition) =>
  ({ method, path }: RemoteRequest): boolean =>
    [orders, products, inventory].some((part) => part?.list.method === method && part.list.path === path)

const shown = ({ method, path, body }: RemoteRequest): string =>
  `${method} ${path}${body === undefined ? '' : ` with ${JSON.stringify(body).slice(0, 500)}`}`
