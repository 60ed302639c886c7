import type { Context } from '../domain/context.ts'
import { startInboundLoop } from '../domain/inbound/inbound-loop.ts'
import { startStockLoop } from '../domain/stock/stock-loop.ts'
import { startSender } from '../domain/webhooks/sender/start-sender.ts'
import { showBacklogs } from '../gauges.ts'
import { jobs, recurring } from '../jobs.ts'
import { type Database, openDatabase } from '../runtime/db/connection.ts'
import { startWorker } from '../runtime/jobs/worker.ts'
import { listen, maxOf, openWorkerDatabase, type Parts } from './parts.ts'

const onDatabase = (context: Context, { db, reader, transaction }: Database): Context => ({
  ...context,
  ...{ db, reader, transaction },
})

/** Runs jobs, takes what shops have said, keeps stock in step and sends webhooks. */
export async function work(parts: Parts): Promise<void> {
  const { options, context, database, opening, queue, metrics, pools, closing } = parts
  const { log } = options
  // Jobs have a pool of their own: they may take longer, and must not take a request's connection.
  const jobDatabase = options.serves ? openWorkerDatabase({ ...opening, ...maxOf(options, 'jobs') }) : database
  const worker = await startWorker({
    ...{ queue, jobs, recurring, log, metrics },
    context: onDatabase(context, jobDatabase),
  })
  const listener = listen(parts, jobDatabase)
  // A few connections of their own: syncs that keep all others busy hold up neither inbound deliveries nor webhooks.
  const inboundDatabase = openDatabase({ ...opening, applicationName: 'entrepot-inbound', max: 4 })
  const inbound = startInboundLoop({ context: onDatabase(context, inboundDatabase), listener, metrics })
  const stockDatabase = openDatabase({ ...opening, applicationName: 'entrepot-stock', max: 3 })
  const stock = startStockLoop({ context: onDatabase(context, stockDatabase), listener })
  const senderDatabase = openDatabase({ ...opening, applicationName: 'entrepot-sender', max: 3 })
  const sender = startSender({
    context: onDatabase(context, senderDatabase),
    send: context.callOut,
    listener,
    metrics,
  })
  pools
    .set('jobs', jobDatabase)
    .set('messages', inboundDatabase)
    .set('stock', stockDatabase)
    .set('webhooks', senderDatabase)
  showBacklogs(metrics, { ...jobDatabase, queue })
  if (jobDatabase !== database) closing.push(() => jobDatabase.close())
  closing.push(
    () => senderDatabase.close(),
    () => inboundDatabase.close(),
    () => stockDatabase.close(),
    () => worker.stop({ timeoutMs: 20_000 }),
    () => inbound.stop(),
    () => stock.stop(),
    () => sender.stop({ timeoutMs: 5_000 }),
    () => listener.close(),
  )
  await listener.begun
}
