import { isIPv6 } from 'node:net'
import { readConfig } from '../config.ts'
import { loadMasterKeys } from '../keys.ts'
import { createLog } from '../runtime/log.ts'
import { enlargeYoungGeneration, limitOldGeneration } from '../runtime/memory.ts'
import { command } from './command.ts'
import { openDatabaseSession } from './session.ts'
import { closeOnShutdown } from './shutdown.ts'

export const workerCommand = command({
  name: 'worker',
  summary: 'Start a worker process beside a running service',
  options: {},
  async run(_values, output) {
    const config = readConfig()
    const log = createLog(config.logLevel)
    const closeAtTheEnd = closeOnShutdown(log)
    const session = await openDatabaseSession(config, log, closeAtTheEnd)
    const keys = await loadMasterKeys(config)
    const [{ compose }, { drainAndClose }] = await Promise.all([import('../compose.ts'), import('./start-process.ts')])
    const program = await compose({ config, databaseUrl: session.url, keys, log, serves: false, works: true })
    closeAtTheEnd(() => drainAndClose(program))
    // Beside a service, on whatever port is free.
    const probes = config.probes ?? { host: config.host, port: 0 }
    const port = await program.listenForProbes(probes)
    enlargeYoungGeneration()
    limitOldGeneration()
    const host = isIPv6(probes.host) ? `[${probes.host}]` : probes.host
    const url = `http://${host}:${port}`
    output.result({ role: 'worker', probes: url }, `Worker runs. Probes and metrics at ${url}. Stop with Ctrl-C.`)
  },
})
