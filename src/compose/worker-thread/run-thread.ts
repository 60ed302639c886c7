import { parentPort, workerData } from 'node:worker_threads'
import { viewOutcome } from '../../api/v2/views/action.ts'
import { compose } from '../../compose.ts'
import { readConfig } from '../../config.ts'
import { estimateRun } from '../../domain/actions/estimate-run.ts'
import { isLong } from '../../domain/actions/perform-action.ts'
import { startAction } from '../../domain/actions/run-action.ts'
import { readIntegration } from '../../domain/integrations/integration-store.ts'
import { showLag } from '../../gauges.ts'
import { loadMasterKeys } from '../../keys.ts'
import { asPiece } from '../../lib/turns/piece-of-work.ts'
import { stringifyHeavy } from '../../lib/turns/stringify-in-turns.ts'
import { createLog } from '../../runtime/log.ts'
import { limitOldGeneration } from '../../runtime/memory.ts'
import { openLine } from '../../runtime/threads/line.ts'
import type { OfMain, OfThread, ThreadData } from './calls.ts'
import { askInsideShops } from './inside-shops.ts'

/**
 * The thread of the worker: everything that shops send is read, taken apart, translated and stored here, so that none of them
 * holds up a request. It has its own connections and its own memory; if it ends, another one takes its place.
 */
if (!parentPort) throw new Error('This is started as a thread.')
const { works, sign } = workerData as ThreadData

limitOldGeneration()

const signEveryMs = 250
const signs = new BigInt64Array(sign)
const giveSign = () => void Atomics.store(signs, 0, process.hrtime.bigint())
setInterval(giveSign, signEveryMs).unref()

const answers: OfThread = {
  async read({ integrationId, ...wanted }) {
    const { context } = await program
    return await asPiece(async () => {
      const integration = await readIntegration(context.db, integrationId)
      const { body } = viewOutcome(await startAction(context, integration, wanted))
      return new TextEncoder().encode(await stringifyHeavy(body))
    })
  },
  async estimate({ integrationId, name, input }) {
    const { context } = await program
    if (!isLong(name)) return null
    return await asPiece(async () =>
      estimateRun(context, await readIntegration(context.db, integrationId), { name, input }),
    )
  },
  figures: async () => await (await program).metrics.figures(),
  async stop() {
    const { drain, close } = await program
    await drain()
    await close()
  },
}

const line = openLine<OfMain>(parentPort, answers)
const config = readConfig()
const program = openProgram()

async function openProgram() {
  const databaseUrl = await line.ask('databaseUrl', null)
  const keys = await loadMasterKeys(config)
  const opened = await compose({
    ...{ databaseUrl, keys, works, serves: false, ofProcess: false },
    // Whoever only reads needs few, and has them beside those of requests.
    config: works ? config : { ...config, connections: { ...config.connections, jobs: 4 } },
    log: createLog(config.logLevel, { write: (text) => line.tell('log', text) }),
    demoShops: askInsideShops(line),
  })
  showLag(opened.metrics)
  return opened
}
