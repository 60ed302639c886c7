import { expect, test } from 'vitest'
import { statementsNaming } from '../support/sql-statements.ts'

/** What clients follow (`src/runtime/db/lists/changes.ts`): a change that leaves `updated_at` alone is one that nobody hears of. */
const followed = ['orders', 'products', 'shipments', 'inventory']

/** Also where the table is not named by a word; a statement that changes another one may well read these. */
function changes(text: string): boolean {
  if (/do update|updateTable\(|doUpdateSet\(/.test(text)) return true
  const changed = [...text.matchAll(/\bupdate (?!set)(\w*)/g)].map(([, table = '']) => table)
  return changed.some((table) => table === '' || followed.includes(table))
}

/** Sealing what is stored changes nothing that anybody is told. */
const silent = 'src/domain/orders/privacy/seal-store.ts'

/** Of a shop that was left, and of orders whose time is over, as the app has said itself: nobody is told (decision 32). */
const deletes = ['src/domain/uninstall/purge-store.ts', 'src/domain/orders/privacy/expired-orders-store.ts']

test('every statement that changes a followed row moves its updated_at, and none deletes one but purge and retention', async () => {
  const statements = await statementsNaming(followed)
  const changing = statements.filter(({ text, where }) => changes(text) && !where.startsWith(silent))
  expect(changing.length).toBeGreaterThan(8)
  expect(changing.filter(({ text }) => !/updated_at|deletedNow/.test(text)).map(({ where }) => where)).toEqual([])
  const deleting = statements.filter(({ text }) => /delete from|deleteFrom\(/.test(text))
  expect(deleting.filter(({ where }) => !deletes.some((file) => where.startsWith(file)))).toEqual([])
})
