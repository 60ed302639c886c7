import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../log.ts'
import { describeCluster, makeCluster, startCluster, stopCluster } from './embedded-cluster.ts'
import { withLock } from './embedded-lock.ts'
import { databaseName, makeDatabase, servicePassword, serviceRole, superuser } from './embedded-role.ts'

export interface EmbeddedPostgres {
  url: string
  /** Of the role that made the cluster: for nothing that the service does. */
  superuserUrl: string
  /** Ends our use of it; the last process that uses it stops the server. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Settings of PostgreSQL on top of ours. Tests turn fsync off here; nothing else may. */
  settings?: Readonly<Record<string, string | number>>
}

/**
 * A real PostgreSQL in the data folder. Processes share it: each keeps one connection open, by which it notices the
 * server's death at once and starts it again, and by which the others see that the server is still in use.
 */
export async function openEmbeddedPostgres({ dataDir, log, settings }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await describeCluster(dataDir, settings ?? {})
  const address = (port: number, name: string, login = `${serviceRole}:${servicePassword(cluster.password)}`) =>
    `postgres://${login}@127.0.0.1:${port}/${name}`
  const superuserAddress = (port: number, name: string) => address(port, name, `${superuser}:${cluster.password}`)

  const { port } = await withLock(cluster.lockFile, async () => {
    await makeCluster(cluster)
    const postmaster = await startCluster(cluster)
    await makeDatabase((name) => superuserAddress(postmaster.port, name), cluster.password)
    return postmaster
  })
  const maintenanceUrl = address(port, 'postgres')
  let stopping = false
  let presence = await openPresence(maintenanceUrl)
  const supervision = supervise()

  async function supervise(): Promise<void> {
    for (;;) {
      await presence.ended
      if (stopping) return
      log.warn('lost the embedded PostgreSQL, making sure that it runs')
      presence = await bringBack()
      // Somebody may have asked to stop meanwhile, and closes this presence only after we are done.
      if (stopping) return
    }
  }

  async function bringBack(): Promise<Presence> {
    for (;;) {
      try {
        await withLock(cluster.lockFile, () => startCluster(cluster, port))
        const connected = await openPresence(maintenanceUrl)
        log.info('the embedded PostgreSQL runs')
        return connected
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL does not start, trying again')
        await sleep(200)
      }
    }
  }

  async function leave(): Promise<void> {
    stopping = true
    const asked = presence
    let last = await asked.closeAndReportIfLast()
    await supervision
    // The server was just being started again.
    if (presence !== asked) last = await presence.closeAndReportIfLast()
    if (last) await withLock(cluster.lockFile, () => stopCluster(cluster))
  }

  let left: Promise<void> | null = null
  return {
    url: address(port, databaseName),
    superuserUrl: superuserAddress(port, databaseName),
    stop() {
      left ??= leave()
      return left
    },
  }
}

interface Presence {
  ended: Promise<void>
  closeAndReportIfLast(): Promise<boolean>
}

async function openPresence(maintenanceUrl: string): Promise<Presence> {
  const name = 'entrepot presence'
  const client = new pg.Client({ connectionString: maintenanceUrl, application_name: name, keepAlive: true })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', () => undefined)
  await client.connect()
  return {
    ended,
    async closeAndReportIfLast() {
      try {
        // The lock lets two processes that end together see each other one after the other.
        await client.query('select pg_advisory_lock(hashtext($1))', [name])
        const others = 'select from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()'
        return (await client.query(others, [name])).rowCount === 0
      } catch {
        return false
      } finally {
        await client.end()
      }
    },
  }
}
