import { startWhenAsked } from '../compose/worker-thread/start-worker-thread.ts'
import { compose, type Program } from '../compose.ts'
import { readConfig } from '../config.ts'
import { createDemoShops } from '../demo/demo-shops.ts'
import { loadMasterKeys } from '../keys.ts'
import { createLog } from '../runtime/log.ts'
import { enlargeYoungGeneration } from '../runtime/memory.ts'
import { onShutdown } from './shutdown.ts'

/** One of several API processes: the primary has the database ready and hands its address over. */
export async function runApiProcess(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const databaseUrl = config.handedDatabaseUrl ?? config.databaseUrl
  if (!databaseUrl) throw new Error('An API process was started without a database address.')
  const demoShops = config.demo ? createDemoShops() : null
  const thread = startWhenAsked({ databaseUrl: Promise.resolve(databaseUrl), demoShops, log })
  const program = await compose({
    config,
    databaseUrl,
    keys: await loadMasterKeys(config),
    log,
    serves: true,
    works: false,
    apart: thread,
    ...(demoShops && { demoShops }),
  })
  onShutdown(log, async () => {
    await drainAndClose(program)
    await thread.close()
  }, ['SIGTERM'])
  // These reach every process of the terminal, and the primary then sends its SIGTERM: together they would be two.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  await program.http?.listen(config.host, config.port)
  await program.listenForProbes(config.probes)
  enlargeYoungGeneration()
  process.send?.('listening')
}

export async function drainAndClose(program: Program): Promise<void> {
  await program.drain()
  await program.close()
}
