import { expect, test } from 'vitest'
import { statementsNaming } from '../support/sql-statements.ts'

/** What clients follow (`src/runtime/db/lists/changes.ts`): a change that leaves `updated_at` alone is one that nobody hears of. */
const followed = ['orders', 'products', 'shipments', 'inventory']

test('every statement that changes a followed row moves its updated_at, and none deletes one but the purge', async () => {
  const statements = await statementsNaming(followed)
  const changing = statements.filter(({ text }) => /\bupdate (?!set)|do update|updateTable\(|doUpdateSet\(/.test(text))
  expect(changing.length).toBeGreaterThan(8)
  expect(changing.filter(({ text }) => !/updated_at/.test(text)).map(({ where }) => where)).toEqual([])
  const deleting = statements.filter(({ text }) => /delete from|deleteFrom\(/.test(text))
  expect(deleting.filter(({ where }) => !where.startsWith('src/domain/uninstall/purge-store.ts'))).toEqual([])
})
