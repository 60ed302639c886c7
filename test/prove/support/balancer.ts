import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpClient, httpClient } from './http.ts'

/**
 * What a load balancer does, in small: asks every server four times a second whether it is ready, deals requests out in
 * turn over connections that it keeps, and takes the next server if a connection is refused. It never sends a request
 * twice.
 */
export function balancer(urls: readonly string[]): HttpClient {
  const http = httpClient(50)
  const probes = httpClient(1)
  const ready = new Set(urls)
  let turn = 0
  let running = true

  const watching = Promise.all(
    urls.map(async (url) => {
      while (running) {
        const { status } = await probes.call(`${url}/ready`).catch(() => ({ status: 0 }))
        if (status === 200) ready.add(url)
        else ready.delete(url)
        await sleep(250)
      }
    }),
  )

  return {
    async call(path, call) {
      const upstreams = ready.size > 0 ? [...ready] : urls
      turn++
      for (let attempt = 0; ; attempt++) {
        try {
          return await http.call(`${upstreams[(turn + attempt) % upstreams.length]}${path}`, call)
        } catch (error) {
          const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
          if (!refused || attempt >= upstreams.length) throw error
        }
      }
    },
    async close() {
      running = false
      await watching
      await Promise.all([http.close(), probes.close()])
    },
  }
}
