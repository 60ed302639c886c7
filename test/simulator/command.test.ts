import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

test('entrepot simulator prints one JSON line, serves 200,000 orders in little memory, and stops when told', async () => {
  const args = ['bin/entrepot.js', 'simulator', '--platform', 'walmart', '--orders', '200000', '--seed', '9', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line))
  await once(output, 'line')
  const { base_url, platform, egress_route, install } = JSON.parse(lines[0] ?? '')
  expect([platform, install.type]).toEqual(['walmart', 'walmart'])
  expect(install.credentials).toEqual({ client_id: expect.any(String), client_secret: expect.any(String) })
  expect(egress_route).toContain(`=${base_url}`)
  expect(new URL(base_url).hostname).toBe('127.0.0.1')
  const truth = await fetch(`${base_url}/_truth/orders?offset=100000&limit=2`).then((answer) => answer.json())
  expect(truth).toEqual([
    expect.objectContaining({ remote_id: expect.any(String), number: expect.any(String), status: expect.any(String) }),
    expect.objectContaining({ total: expect.stringMatching(/^\d+(\.\d+)?$/), updated_at: expect.stringMatching(/Z$/) }),
  ])
  const { rss } = await fetch(`${base_url}/_about`).then((answer) => answer.json() as Promise<{ rss: number }>)
  expect(rss / 1e6).toBeLessThan(400)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(lines).toHaveLength(1)
})

test('entrepot simulator refuses what it does not know', async () => {
  const child = spawn(process.execPath, ['bin/entrepot.js', 'simulator', '--platform', 'latin'], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([1, null])
})

test('several platforms have a port each, and say how the service finds them', async () => {
  const args = ['bin/entrepot.js', 'simulator', '--platform', 'ebay', '--platform', 'woocommerce', '--orders', '5']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.includes('Ctrl-C')) break
  }
  const addresses = [...text.matchAll(/shop is open at (http:\/\/127\.0\.0\.1:\d+)/g)].map(([, address]) => address)
  expect(new Set(addresses).size).toBe(2)
  expect(text).toContain(`NODE_ENV=development EGRESS_ROUTE=`)
  expect(text).toContain(`api.ebay.com=${addresses[0]}`)
  child.kill('SIGTERM')
  await once(child, 'exit')
})
