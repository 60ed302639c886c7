import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { capabilitiesOf } from '../../src/commerce/capabilities.ts'
import { connectors } from '../../src/connectors/index.ts'
import { stepKinds } from '../../src/domain/passport/step.ts'

/** The tables of the guide on orders say what connectors can do, and what a passport shows. */

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/orders.md'), 'utf8')
const section = (title: string) => guide.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
const rowsOf = (title: string) =>
  [...section(title).matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))

const all = [...connectors.values()].map((connector) => ({ ...connector, can: capabilitiesOf(connector) }))
/** A row may shorten the name: "Magento". */
const rowOf = (rows: string[][], name: string) => rows.find(([first = '']) => first !== '' && name.startsWith(first))
const yes = (is: boolean) => (is ? 'yes' : 'no')

test('refunds and cancelled lines are as the connectors have them', () => {
  const rows = rowsOf('Refunds and cancelled lines').filter(([first]) => first !== 'Platform')
  const able = all.filter(({ type, can }) => type !== 'sandbox' && can.refund_by.length > 0)
  expect(rows).toHaveLength(able.length)
  for (const { name, can } of able) {
    expect(rowOf(rows, name)?.slice(1, 4), name).toEqual([
      can.refund_by.join(', '),
      yes(can.refund_restock),
      yes(can.cancel_lines),
    ])
  }
})

test('orders are made where connectors make them, with what they take', () => {
  const rows = rowsOf('Making an order').filter(([first = '']) => !first.startsWith('|'))
  const able = all.filter(({ can }) => can.actions.includes('create_order'))
  expect(able.filter(({ name }) => !rowOf(rows, name)).map(({ name }) => name)).toEqual([])
  expect(rows.filter(([first = '']) => first !== '' && !able.some(({ name }) => name.startsWith(first)))).toEqual([])
  for (const { name, can } of able) {
    const [, shipping = '', tax = '', , paid = ''] = rowOf(rows, name) ?? []
    const says = { shipping_method: shipping, tax_total: tax, paid }
    const taken = Object.entries(says).flatMap(([choice, cell]) => (/^(?:no\b|–|$)/.test(cell) ? [] : [choice]))
    expect(taken, name).toEqual(Object.keys(says).filter((choice) => can.order_choices.some((one) => one === choice)))
  }
})

test('every step of a passport is named', () => {
  const table = section('What happened to an order')
  const isNamed = (kind: string) => table.includes(`\`${kind}\``) || table.includes(`\`.${kind.split('.')[1]}\``)
  expect(stepKinds.filter((kind) => !isNamed(kind))).toEqual([])
})
