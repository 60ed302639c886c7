import { connect, type Socket } from 'node:net'
import { listenTcp, through } from './loopback.ts'

/** Stands between us and somebody else, and can lose connections as a network does: without a word to either side. */
export interface DarkProxy {
  /** The same address, reached through here. */
  through(url: string): string
  /**
   * From now on nothing passes on the connections that are open, and neither side learns what becomes of the other. The
   * far side finds out after a minute, as one does that looks after its peers: here nothing is lost that could tell it.
   */
  darken(): number
  close(): Promise<void>
}

export async function openDarkProxy(target: string): Promise<DarkProxy> {
  const { hostname, port } = new URL(target)
  const live = new Set<{ near: Socket; far: Socket }>()
  const lost = new Set<Socket>()
  const server = await listenTcp((near) => {
    const far = connect(Number(port), hostname)
    const pair = { near, far }
    live.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to)
      from.on('error', () => undefined)
      from.on('close', () => {
        if (live.delete(pair)) to.destroy()
        lost.delete(from)
      })
    }
  })
  return {
    through: (url) => through(url, server.port),
    darken() {
      const cut = [...live]
      live.clear()
      for (const { near, far } of cut) {
        for (const socket of [near, far]) {
          socket.unpipe()
          socket.pause()
          lost.add(socket)
        }
        setTimeout(() => far.destroy(), 60_000).unref()
      }
      return cut.length
    },
    async close() {
      for (const { near, far } of live) for (const socket of [near, far]) socket.destroy()
      for (const socket of lost) socket.destroy()
      await server.close()
    },
  }
}
