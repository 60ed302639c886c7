import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { customConnector } from '../../src/connectors/custom/index.ts'
import { connectors } from '../../src/connectors/index.ts'
import { countDifferences, type Differences } from '../../src/domain/descriptions/differences.ts'
import { syncedOrder } from '../../src/domain/orders/synced-order.ts'

/**
 * Orders as real shops sent them, and what we made of them: whoever changes a translator or a description of the library is
 * told what that does to them, as `entrepot compare` tells it of stored orders. `ACCEPT=1 npx vitest run test/recorded`
 * writes down what is made of them now; the difference then stands in the commit.
 */
interface Recorded {
  facts: { shop: string; settings: Record<string, unknown> }
  orders: { raw: { id?: unknown }; ours: unknown }[]
}

const folder = import.meta.dirname
const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))

async function connectorOf(type: string) {
  const known = connectors.get(type)
  if (known) return known
  const file = join(folder, '../../docs/descriptions', `${type}.json`)
  return customConnector(type, JSON.parse(await readFile(file, 'utf8')).definition)
}

const inWords = ({ changed, compared, failed, fields, failures }: Differences) => [
  ...(changed + failed === 0 ? [] : [`${changed} of ${compared} orders change, ${failed} are no longer understood.`]),
  ...fields.flatMap(({ field, count, examples }) => [
    `${field}: ${count}`,
    ...examples.map((one) => `  ${one.remote_id}: ${JSON.stringify(one.before)} becomes ${JSON.stringify(one.after)}`),
  ]),
  ...failures.map(({ reason, count, example }) => `${count} times, as in ${example}: ${reason}`),
]

test.each(files)('%s: what was made of these orders is made of them now', async (file) => {
  const path = join(folder, file)
  const recorded: Recorded = JSON.parse(await readFile(path, 'utf8'))
  const connector = await connectorOf(file.replace('.json', ''))
  const made = (raw: unknown) => {
    const { remote_payload: _, ...row } = syncedOrder(
      { type: file },
      Object(connector?.orders?.translate(raw, recorded.facts)),
    )
    return JSON.parse(JSON.stringify(row))
  }
  if (process.env['ACCEPT'] === '1') {
    const orders = recorded.orders.map(({ raw }) => ({ raw, ours: made(raw) }))
    await writeFile(path, `${JSON.stringify({ ...recorded, orders }, null, 2)}\n`)
    return
  }
  const counting = countDifferences()
  for (const { raw, ours } of recorded.orders) {
    const id = String(Object(ours).remote_id)
    try {
      counting.add(id, ours, made(raw))
    } catch (error) {
      counting.fail(id, error instanceof Error ? error.message : String(error))
    }
  }
  expect(inWords(counting.result())).toEqual([])
})

test('a change is told by field, with examples', () => {
  const counting = countDifferences()
  counting.add('7', { total: '1.00' }, { total: '2.00' })
  expect(inWords(counting.result())).toEqual([
    '1 of 1 orders change, 0 are no longer understood.',
    'total: 1',
    '  7: "1.00" becomes "2.00"',
  ])
})
