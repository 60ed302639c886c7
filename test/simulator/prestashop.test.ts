import { expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'

function openShop(variant: Record<string, string> = {}, orders = 300) {
  const simulator = openSimulator({ platform: 'prestashop', orders, products: 5, variant })
  const key = simulator.kept['webservice_key']
  const ask = async (path: string) => {
    const url = `${simulator.world.origin}/api/${path}${path.includes('?') ? '&' : '?'}ws_key=${key}`
    const answer = await simulator.answer({ method: 'GET', url, headers: {}, body: Buffer.from('') })
    return { status: answer.status, type: answer.headers['content-type'], text: answer.bytes.toString() }
  }
  return { simulator, ask }
}

test('PrestaShop lists by its own clock, also in the hour that autumn has twice', async () => {
  const { simulator, ask } = openShop({}, 60_000)
  const span = 'filter[date_upd]=[2025-10-26 01:30:00,2025-10-26 03:30:00]'
  const list = `orders?${span}&display=[id,date_upd]&sort=[date_upd_ASC,id_ASC]&date=1&output_format=JSON`
  const rows = JSON.parse((await ask(list)).text).orders as { id: number; date_upd: string }[]
  const times = rows.map(({ date_upd: at }) => at)
  expect(times).toEqual(times.toSorted())
  const { book } = simulator.world.shop
  const real = rows.map(({ id }) => book.updatedAt(id - 1))
  expect(real).not.toEqual(real.toSorted((a, b) => a - b))
  expect(JSON.parse((await ask(`${list}&limit=3,5`)).text).orders).toEqual(rows.slice(3, 8))
})

test('PrestaShop answers with XML unless it is asked for JSON, and wants to be told that times are meant', async () => {
  const { ask } = openShop()
  const plain = await ask('order_states?display=full')
  expect([plain.type, plain.text]).toEqual(['text/xml;charset=utf-8', expect.stringContaining('<language id="1">')])
  expect(await ask('orders?sort=[date_upd_ASC]&output_format=JSON')).toMatchObject({
    status: 400,
    text: expect.stringContaining('date'),
  })
})

test('PrestaShop names a right that a key lacks, and says when its webservice is off', async () => {
  const { ask } = openShop({ lacks: 'addresses' })
  expect((await ask('orders?limit=1&output_format=JSON')).status).toBe(200)
  expect(await ask('addresses?output_format=JSON')).toMatchObject({
    status: 401,
    text: expect.stringContaining('"code":26'),
  })
  expect(await openShop({ service: 'off' }).ask('orders?output_format=JSON')).toMatchObject({ status: 503 })
})

test('PrestaShop keeps the state of what was paid back, unless the shop has one for that', async () => {
  const words = (variant: Record<string, string>) =>
    new Set(
      openShop(variant)
        .simulator.truth()
        .filter(({ stage }) => stage === 'refunded')
        .map(({ remote_status: word }) => word),
    )
  expect(words({})).toEqual(new Set(['Livré']))
  expect(words({ refunds: 'state' })).toEqual(new Set(['Remboursé']))
})
