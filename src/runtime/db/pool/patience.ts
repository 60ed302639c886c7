import type { Socket } from 'node:net'
import type pg from 'pg'
import { afterLooking } from '../../../lib/turns/looking.ts'
import type { Connections } from './ready-connections.ts'

/** Nobody waits for longer; a connection that comes after that is given back. */
export const patientConnections = (connections: Connections, patienceMs: number): Connections => ({
  async take() {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    let isOver = false
    const stop = afterLooking(patienceMs, () => {
      isOver = true
      // In the words of the driver, by which a database that is away is known.
      reject(new Error('timeout exceeded when trying to connect'))
    })
    connections.take().then(
      (client) => {
        stop()
        if (isOver) client.release()
        else resolve(client)
      },
      (error: unknown) => {
        stop()
        reject(error)
      },
    )
    return await promise
  },
})

/** A client for pools that gives up a server which does not open the connection in time. */
export function patientClient(Client: typeof pg.Client, patienceMs: number): typeof pg.Client {
  return class extends Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const stop = afterLooking(patienceMs, () => streamOf(this).destroy(new Error('timeout expired')))
      if (!callback) return super.connect().finally(stop)
      super.connect((error: Error) => {
        stop()
        callback(error)
      })
      return undefined
    }
  }
}

/** pg does not declare it. */
const streamOf = (client: pg.Client) =>
  (client as unknown as { connection: { stream: Pick<Socket, 'destroy'> } }).connection.stream
