import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

test('each index of orders names its question in decision 46, and no other is named there', async () => {
  const text = await readFile(new URL('../../docs/decisions/0046-indexes-of-orders.md', import.meta.url), 'utf8')
  const named = [...text.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/orders_\w+/g) ?? [])
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name from pg_index left join pg_constraint on conindid = indexrelid
     where indrelid = 'orders'::regclass and conindid is null`,
  )
  await client.end()
  await database.drop()
  expect(named.sort()).toEqual(rows.map(({ name }) => name).sort())
})
