import cluster, { type Worker } from 'node:cluster'
import { startWhenAsked, startWorkerThread } from '../compose/worker-thread/start-worker-thread.ts'
import { compose, type Program } from '../compose.ts'
import { type Config, ConfigError, handedDatabaseUrl, readConfig } from '../config.ts'
import { createDemoShops } from '../demo/demo-shops.ts'
import { loadMasterKeys } from '../keys.ts'
import { createLog, type Log } from '../runtime/log.ts'
import { enlargeYoungGeneration, limitOldGeneration } from '../runtime/memory.ts'
import { called, type Output } from './command.ts'
import { answerDemos } from './demo/hand-over.ts'
import { firstLogin } from './first-login.ts'
import { announceService } from './running-service.ts'
import { openDatabaseSession } from './session.ts'
import { closeOnShutdown } from './shutdown.ts'
import { drainAndClose } from './start-process.ts'

/** The first process: brings the database up, then serves, works, or watches over others that serve. */
export async function runPrimary(output: Output): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const closeAtTheEnd = closeOnShutdown(log)
  const alone = config.processes === 1
  const serves = config.role !== 'worker'
  const works = config.role !== 'api'
  const demoShops = config.demo ? createDemoShops() : null
  // It loads its code while the database comes up.
  const { promise: databaseUrl, resolve: sayUrl } = Promise.withResolvers<string>()
  const thread = serves && alone ? workerThread({ databaseUrl, demoShops, log }, works) : null
  const session = await openDatabaseSession(config, log, closeAtTheEnd)
  sayUrl(session.url)
  const keys = await loadMasterKeys(config)
  // Those who wait for something that it reads are answered before it goes.
  closeAtTheEnd(async () => await thread?.close())
  const program = await compose({
    ...{ config, databaseUrl: session.url, keys, log },
    serves: serves && alone,
    works: works && !thread,
    ...(demoShops && { demoShops }),
    ...(thread && { apart: thread }),
  })
  closeAtTheEnd(() => drainAndClose(program))
  // Whoever waits for `/ready` then reads the file.
  const login = await firstLogin(program.context, config)
  const processes = serves && !alone ? superviseProcesses(config, session.url, log) : null
  closeAtTheEnd(async () => processes?.stop())

  const port = await listen(config, program)
  // Where further processes serve, theirs are the probes.
  if (!processes) await program.listenForProbes(config.probes)
  if (program.http) enlargeYoungGeneration()
  if (config.role !== 'api') limitOldGeneration()
  await processes?.started
  const url = config.publicUrl.endsWith(`:${config.port}`)
    ? config.publicUrl.replace(/:\d+$/, `:${port}`)
    : config.publicUrl
  if (config.demo && program.http) {
    const make = async (seed: string) => {
      const { makeDemoHere } = await import('./demo/make-here.ts')
      return await makeDemoHere(program, { config, url, seed })
    }
    closeAtTheEnd(await answerDemos(config, make))
  }
  if (serves) closeAtTheEnd(await announceService(config.dataDir, url))
  if (serves) output.result({ url, role: config.role, processes: config.processes }, welcome(url, login))
  else output.result({ role: 'worker' }, 'Worker runs.')
}

/** Where this process runs no jobs, the thread only reads for requests, and begins with the first of them. */
const workerThread = (options: Parameters<typeof startWhenAsked>[0], works: boolean) =>
  works ? startWorkerThread({ ...options, works }) : startWhenAsked(options)

async function listen(config: Config, program: Program): Promise<number> {
  try {
    return (await program.http?.listen(config.host, config.port)) ?? config.port
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error
    throw new ConfigError(
      `Port ${config.port} on ${config.host} is taken by another program. Stop it, or set PORT to another number.`,
    )
  }
}

function welcome(url: string, login: string | null): string {
  const lines = [
    '',
    `Entrepot runs at ${url}`,
    `  Console        ${url}/console`,
    `  Guides         ${url}/docs/guides`,
    `  API reference  ${url}/docs`,
    `  OpenAPI        ${url}/api/openapi.json`,
  ]
  if (login) lines.push('', login)
  lines.push('', `Example shops with a month of orders: ${called} demo`, 'Stop with Ctrl-C.', '')
  return lines.join('\n')
}

/** Forks the API processes and forks another for each that dies. */
function superviseProcesses(config: Config, databaseUrl: string, log: Log) {
  let stopping = false
  const running = new Set<Worker>()

  const fork = () =>
    new Promise<void>((resolve) => {
      const worker = cluster.fork({ [handedDatabaseUrl]: databaseUrl })
      running.add(worker)
      worker.on('message', () => resolve())
      worker.on('exit', (code, signal) => {
        running.delete(worker)
        resolve()
        if (stopping) return
        log.error({ code, signal }, 'an API process ended, starting another')
        setTimeout(() => void fork(), 500)
      })
    })

  const started = Promise.all(Array.from({ length: config.processes }, fork))
  return {
    started,
    async stop() {
      stopping = true
      const ended = [...running].map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
      for (const worker of running) worker.process.kill('SIGTERM')
      await Promise.all(ended)
    },
  }
}
