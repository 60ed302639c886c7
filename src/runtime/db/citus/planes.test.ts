import { describe, expect, test } from 'vitest'
import { followPlanes } from './commit-guard.ts'
import { planesWritten } from './planes.ts'

const data = { control: false, data: true }
const control = { control: true, data: false }
const neither = { control: false, data: false }

describe('a statement', () => {
  test.each([
    ['insert into orders (id) select 1 from integration_state', data],
    ['insert into "orders" ("id") values ($1) on conflict do update set id = 1', data],
    ['update orders o set status = 1', data],
    ['UPDATE ONLY orders SET status = 1', data],
    ['delete from integration_logs_y2026m11', data],
    ['select 1 from runs for no key update skip locked', neither],
    ['select id from integrations for update of integrations', neither],
    ['select updated_at from orders', neither],
    ['insert into pgboss.job (id) values ($1)', control],
    ['WITH a AS (INSERT INTO "pgboss"."job" VALUES (1)) SELECT 1', control],
    ['update webhook_events set id = 1', control],
    ['with gone as (delete from runs returning id) update integrations set id = 1', { control: true, data: true }],
  ])('writes its planes: %s', (text, planes) => {
    expect(planesWritten(text)).toEqual(planes)
  })
})

describe('a commit', () => {
  const commitAfter = (...texts: string[]) => {
    const isGuarded = followPlanes()
    expect(texts.map(isGuarded)).toEqual(texts.map(() => false))
    return isGuarded('commit')
  }

  test('is guarded after both planes were written, in whatever order', () => {
    expect(commitAfter('begin', 'update orders set a = 1', 'insert into integrations (id) values (1)')).toBe(true)
    expect(commitAfter('start transaction read write', 'update apps set a = 1', 'select 1', 'delete from runs')).toBe(
      true,
    )
  })

  test('is not guarded after one plane', () => {
    expect(commitAfter('begin', 'update orders set a = 1', 'select id from integrations')).toBe(false)
    expect(commitAfter('begin', 'update integrations set a = 1', 'select id from orders')).toBe(false)
  })

  test('is not guarded for what an earlier transaction wrote', () => {
    expect(commitAfter('begin', 'update orders set a = 1', 'rollback', 'begin', 'update apps set a = 1')).toBe(false)
  })
})
