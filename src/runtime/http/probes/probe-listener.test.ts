import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../../metrics.ts'
import { createProbeListener } from './probe-listener.ts'
import { probes } from './probes.ts'

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen({ isReady = async () => true, stuckMs = 30_000 } = {}): Promise<string> {
  const pages = probes({ isReady, metrics: createMetrics(), metricsToken: null, isOpen: true })
  const listener = createProbeListener(pages, { stuckMs })
  closing.push(() => listener.close())
  return `http://127.0.0.1:${await listener.listen('127.0.0.1', 0)}`
}

/** Asks until it is answered with this status, while this thread does nothing at all; false if it waited in vain. */
async function askedMeanwhile(url: string, status: number): Promise<boolean> {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const asker = new Worker(
    `const { workerData: { url, status, flag }, parentPort } = require('node:worker_threads')
     parentPort.once('message', async () => {
       while ((await fetch(url)).status !== status) {}
       Atomics.store(flag, 0, 1)
       Atomics.notify(flag, 0)
     })
     parentPort.postMessage('there')`,
    { eval: true, workerData: { url, status, flag } },
  )
  closing.push(() => asker.terminate())
  await once(asker, 'message')
  asker.postMessage('go')
  return Atomics.wait(flag, 0, 0, 20_000) !== 'timed-out'
}

describe('the listener of the probes', () => {
  test('says that the process runs while the main thread is held', async () => {
    expect(await askedMeanwhile(`${await listen()}/live`, 200)).toBe(true)
  })

  test('says that it is stuck when it is held for too long, and that it runs when it is let go', async () => {
    const url = await listen({ stuckMs: 300 })
    expect(await askedMeanwhile(`${url}/live`, 503)).toBe(true)
    await expect.poll(async () => (await fetch(`${url}/live`)).status).toBe(200)
  })

  test('promises no readiness that the main thread cannot speak for', async () => {
    const url = await listen()
    // Its connection is not kept: the listener may close it while this thread stands still, before it learns of that.
    const first = await fetch(`${url}/ready`, { headers: { connection: 'close' } })
    expect(await first.json()).toEqual({ status: 'ok' })
    expect(await askedMeanwhile(`${url}/ready`, 503)).toBe(true)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
  })

  test('hands on what the main thread says: not ready, figures, a failure, and that there is nothing else', async () => {
    const url = await listen({ isReady: async () => false })
    expect((await fetch(`${url}/ready`)).status).toBe(503)
    const figures = await fetch(`${url}/metrics`)
    expect(figures.headers.get('content-type')).toContain('text/plain')
    expect(await figures.text()).toContain('entrepot_http_request_seconds')
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(404)
    expect((await fetch(`${url}/anything`)).status).toBe(404)
    expect((await fetch(`${url}/live`, { method: 'POST' })).status).toBe(404)
    const broken = await listen({ isReady: () => Promise.reject(new Error('broken')) })
    expect((await fetch(`${broken}/ready`)).status).toBe(500)
  })

  test('says when its port is taken', async () => {
    const port = Number(new URL(await listen()).port)
    const second = createProbeListener([])
    await expect(second.listen('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
