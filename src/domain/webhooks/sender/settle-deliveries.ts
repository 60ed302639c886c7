import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { sayNews } from '../../news-store.ts'
import { disableWebhook } from '../disable-webhook.ts'
import { markHealth, type Settlement, settleDeliveries } from './claim-store.ts'

export interface Result {
  settlement: Settlement
  webhookId: number
  /** Where it went. */
  url: string
  /** Whether its webhook had been failing when the delivery was claimed. */
  wasFailing: boolean
  gone: boolean
}

export interface Settler {
  /** Resolves when it is written down. */
  settle(result: Result): Promise<void>
  /** Resolves when nothing is left to write. */
  idle(): Promise<void>
}

const maxBatch = 100
/** While more are on their way a statement waits for company: this long, or until it has so much. */
const gatherMs = 5
const enough = 32
/** While the database is away; less than a lease in all. */
const attempts = 5
/** Whoever looks at an order hears of its deliveries so soon: of all shops together, in one statement. */
const newsMs = 1000

/** Writes results as they come: what comes within a moment, or while a statement runs, goes into one statement together. */
export function createSettler(options: {
  context: Pick<Context, 'db' | 'transaction' | 'log'>
  /** How many more are expected. */
  underWay: () => number
  /** Of these webhooks something that waited is due now. */
  onFollowers: (webhookIds: readonly number[]) => void
}): Settler {
  const { context, underWay, onFollowers } = options
  const waiting: { result: Result; done: () => void; failed: (error: unknown) => void }[] = []
  let writing: Promise<void> | null = null
  const shops = new Set<number>()

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < enough && underWay() > 0) await sleep(gatherMs)
      const batch = waiting.splice(0, maxBatch)
      const results = batch.map(({ result }) => result)
      try {
        await store(results)
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    writing = null
  }

  async function store(results: readonly Result[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        onFollowers(
          await settleDeliveries(
            context.db,
            results.map(({ settlement }) => settlement),
          ),
        )
        break
      } catch (error) {
        if (attempt === attempts) throw error
        await sleep(200 * attempt)
      }
    }
    const isTelling = shops.size > 0
    for (const { settlement } of results) if (settlement.integrationId !== null) shops.add(settlement.integrationId)
    if (shops.size > 0 && !isTelling) setTimeout(tell, newsMs).unref()
    await look(results)
  }

  function tell(): void {
    for (const id of shops) sayNews(context.db, 'steps', id)
    shops.clear()
  }

  async function look(results: readonly Result[]): Promise<void> {
    const isOk = ({ settlement }: Result) => settlement.state === 'delivered'
    const working = new Set(results.filter(isOk).map(({ webhookId }) => webhookId))
    const failing = results.filter((result) => !isOk(result) && !working.has(result.webhookId))
    const overdue = await markHealth(context.db, {
      working: results.filter((result) => isOk(result) && result.wasFailing).map(({ webhookId }) => webhookId),
      failing: failing.map(({ webhookId }) => webhookId),
    })
    const endpoints = (some: readonly Result[]) =>
      new Map(some.map(({ webhookId, url }) => [`${webhookId} ${url}`, { id: webhookId, url }]))
    for (const endpoint of endpoints(results.filter(({ gone }) => gone)).values())
      await disableWebhook(context, endpoint, 'gone')
    const late = failing.filter(({ webhookId }) => overdue.includes(webhookId))
    for (const endpoint of endpoints(late).values()) await disableWebhook(context, endpoint, 'failing')
  }

  return {
    settle: (result) =>
      new Promise((done, failed) => {
        waiting.push({ result, done, failed })
        writing ??= write()
      }),
    idle: async () => {
      await writing
    },
  }
}
