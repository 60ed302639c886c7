import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Expressions that would go on for long if they were let, and records that are more than anybody should look at. */

const doubling = '[@,@]|[]|'.repeat(16)

export const hostileExpressions: readonly string[] = [
  `${doubling}length(@)`,
  'rows[*].[@,@,@,@][]|[*].[@,@,@,@][]|[*].[@,@]',
  'sort_by(rows,&to_string(@))|[0].id',
  'max_by(rows,&to_string(@)).id',
  'group_by(rows,&sku)',
  "rows[?contains(to_string(@),'x')]|length(@)",
  'rows[?@==@]|length(@)',
  '[@,@,@,@,@,@]==[@,@,@,@,@,@]',
  'to_string([@,@,@,@,@,@,@,@])|to_string([@,@,@,@])|to_string([@,@,@,@])',
  'map(&to_string(merge(@,@)),rows)',
  'rows[*].merge(@,@,@,@)',
  'sort(words)|reverse(@)|sort(@)',
  "[text,text,text,text]|[*].split(@,'')",
  '[text,text,text,text,text,text]|[*].upper(@)|[*].lower(@)',
  "join(',',words)|split(@,',')|sort(@)",
  'from_items(items(@))|keys(@)|sort(@)',
  'words[::-1]|[::-1]|[::-1]|[::-1]',
]

const row = (n: number) => ({ id: n, sku: `A-${n}`, name: 'x'.repeat(12), qty: 1, price: '1.00' })

/** What every order of such a shop has, so that only what is hostile about it is in the way. */
const order = (id: number) => ({ id, state: 'ready', total: '1.00', at: '2026-11-01T10:00:00Z' })

const tenMegabytes = 10_000_000

/** As JSON: a page of one order or of a few. */
export const hostilePages: Readonly<Record<string, () => string>> = {
  loops: () => page(Array.from({ length: 50 }, (_, n) => ({ ...order(n), rows: rowsOf(900), words: wordsOf(900) }))),
  rows: () => page([{ ...order(1), rows: rowsOf(3500) }]),
  words: () => page([{ ...order(1), words: wordsOf(19_000), rows: [] }]),
  letters: () => page([{ ...order(1), text: 'y '.repeat(450_000), rows: [] }]),
  deep: () => `{"data":[{"id":1,"rows":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`,
  'a text of 10 MB': () => page([{ ...order(1), text: 'x'.repeat(tenMegabytes), rows: [] }]),
  '10 MB of rows': () => page([{ ...order(1), rows: rowsOf(tenMegabytes / 60) }]),
  '10 MB of names': () =>
    page([
      { ...order(1), ...Object.fromEntries(Array.from({ length: tenMegabytes / 20 }, (_, n) => [`name_${n}`, n])) },
    ]),
}

const page = (data: readonly unknown[]) => JSON.stringify({ data })
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => row(n))
const wordsOf = (count: number) => Array.from({ length: count }, (_, n) => `w${(n * 7919) % count}`)

/** The same expression wherever a description takes one. */
export function described(select: string) {
  const place = { select }
  const fields = {
    ...{ remote_id: 'id', status: 'state', total: 'total', placed_at: 'at', updated_at: 'at' },
    ...{ number: place, note: place, shipping_method: place, external_reference: place, service_level: place },
    customer: { email: place, name: place, phone: place },
    shipping_address: { name: place, line1: place, line2: place, city: place, region: place, postal_code: place },
    billing_address: { name: place, line1: place, line2: place, city: place, region: place, postal_code: place },
  }
  return {
    origin: { from: 'setting' },
    auth: { kind: 'none' },
    budget: { capacity: 1000, per_second: 100 },
    format: { currency: 'EUR' },
    orders: {
      list: { path: '/orders', items: 'data', paging: { style: 'none' } },
      get: { path: '/orders/{id}' },
      fields,
      lines: {
        items: 'rows',
        fields: { remote_id: 'id', sku: place, title: place, quantity: 'qty', unit_price: 'price' },
      },
      statuses: [{ theirs: '*', ours: 'open' }],
    },
  }
}

export interface HostilePage {
  url: string
  show(name: string): void
  close(): Promise<void>
}

/** A shop whose every answer is one of these pages. */
export async function startHostilePages(): Promise<HostilePage> {
  let body = '{}'
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    show(name) {
      body = hostilePages[name]?.() ?? '{}'
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
