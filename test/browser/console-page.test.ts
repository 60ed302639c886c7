import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { watchPage } from './support/watch.ts'

let server: TestServer
let origin: string
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

describe('the console', () => {
  test('is where a browser that knows only the address ends up', async () => {
    const page = await browser.context.newPage()
    const { problems } = watchPage(page, [origin])
    await page.goto(origin)
    expect(page.url()).toBe(`${origin}/console`)
    expect(problems).toEqual([])
    await page.close()
  })

  test('is answered with 304 to whoever has it already', async () => {
    const first = await fetch(`${origin}/console`)
    const again = await fetch(`${origin}/console`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect([first.status, again.status]).toEqual([200, 304])
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

test('the components are at most 50 kB over the wire', async () => {
  const answer = await fetch(`${origin}/components/entrepot.js`, { headers: { 'accept-encoding': 'identity' } })
  expect(gzipSync(Buffer.from(await answer.arrayBuffer())).length).toBeLessThanOrEqual(50_000)
})
