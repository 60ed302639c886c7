import { connect } from 'node:net'
import { listenTcp, through } from './loopback.ts'

/** Stands between us and the database, and can cut a connection at the worst moment: after a commit, before its answer. */
export interface CuttingProxy {
  /** The same address, reached through here. */
  through(url: string): string
  /** The next transaction commits, and nobody here hears of it. */
  cutNextCommit(): void
  /** How many were cut. */
  cuts(): number
  close(): Promise<void>
}

/** A message of the simple protocol: `Q`, its length, the statement, a zero. */
const commit = /Q\0\0\0.commit\0/i

export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  let armed = false
  let cuts = 0
  const server = await listenTcp((near) => {
    const far = connect(Number(port), hostname)
    let cutting = false
    far.on('error', () => undefined)
    near.on('data', (bytes) => {
      if (armed && commit.test(bytes.toString('latin1'))) {
        armed = false
        cutting = true
      }
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (!cutting) return void near.write(bytes)
      cuts++
      near.destroy()
      far.destroy()
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  return {
    through: (url) => through(url, server.port),
    cutNextCommit() {
      armed = true
    },
    cuts: () => cuts,
    close: () => server.close(),
  }
}
