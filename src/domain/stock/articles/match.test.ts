import { describe, expect, test } from 'vitest'
import type { Article } from './article-store.ts'
import type { ShopVariant } from './catalogue-store.ts'
import type { Link } from './link-store.ts'
import { match } from './match.ts'

const article = (id: number, sku: string, barcode: string | null = null): Article => ({
  ...{ id, pool_id: 1, sku, barcode, name: null, created_at: '', updated_at: '' },
})
const variant = (id: string, sku: string, barcode: string | null = null, locations = ['']): ShopVariant => ({
  ...{ integration_id: 7, remote_id: id, sku, barcode, name: null },
  levels: locations.map((location) => ({ location, quantity: 3 })),
})
const held = (articleId: number, id: string, sku: string, by: Link['made_by']) => ({
  ...{ article_id: articleId, remote_id: id, sku, made_by: by },
})
const reasons = (of: ReturnType<typeof match>) => of.conflicts.map(({ reason, remote_ids: ids }) => [reason, ...ids])

describe('what is certain is linked, and nothing else', () => {
  test('by SKU before barcode', () => {
    const found = match([variant('v', 'CUP', '400')], [article(1, 'CUP', '400'), article(2, 'LID')], [], null)
    expect(found).toMatchObject({ links: [{ article_id: 1, remote_id: 'v', made_by: 'sku' }], conflicts: [] })
    expect(match([variant('v', 'other', '400')], [article(1, 'CUP', '400')], [], null).links).toMatchObject([
      { made_by: 'barcode' },
    ])
  })

  test('a SKU of one article with the barcode of another is neither', () => {
    const found = match([variant('v', 'CUP', '400')], [article(1, 'CUP'), article(2, 'LID', '400')], [], null)
    expect(found.links).toEqual([])
    expect(found.conflicts).toMatchObject([{ reason: 'several_articles', article_ids: [1, 2] }])
  })

  test('variants of one barcode are listed together and once, whatever their SKUs', () => {
    const twins = [variant('a', 'A', '400'), variant('b', 'B', '400'), variant('c', 'C', '400')]
    expect(reasons(match(twins, [article(1, 'CUP', '400')], [], null))).toEqual([['same_sku_twice', 'a', 'b', 'c']])
  })

  test('of two that one article could be, the second is listed', () => {
    const found = match([variant('a', 'CUP'), variant('b', 'B', '400')], [article(1, 'CUP', '400')], [], null)
    expect(found.links).toMatchObject([{ remote_id: 'a' }])
    expect(reasons(found)).toEqual([['linked_elsewhere', 'b']])
  })
})

describe('what somebody has decided is no longer in doubt', () => {
  const twins = [variant('a', 'CUP'), variant('b', 'CUP')]
  test.each(['hand', 'file'] as const)('by %s', (by) => {
    expect(match(twins, [article(1, 'CUP')], [held(1, 'b', 'CUP', by)], null)).toEqual({ links: [], conflicts: [] })
  })

  test('what was linked by itself is, once the shop has another one', () => {
    expect(reasons(match(twins, [article(1, 'CUP')], [held(1, 'b', 'CUP', 'sku')], null))).toEqual([
      ['linked_elsewhere', 'a'],
    ])
  })
})
