import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant
let ids: number[]
const total = 23
const path = '/api/2.0/user/clients'

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  ids = []
  for (let index = 0; index < total; index++) {
    const body = { name: `Client ${index % 5}`, app_id: index < 4 ? tenant.appId : null }
    const { json } = await server.call('POST', path, { token: tenant.userToken, body })
    ids.push((json['data'] as { id: number }).id)
  }
  // The app's own client, made with the tenant, belongs to nobody and is not listed.
})

afterAll(() => server.close())

interface List {
  data: { id: number; name: string }[]
  links: { first: string; last: string; prev: string | null; next: string | null }
  meta: {
    current_page: number
    from: number | null
    last_page: number
    per_page: number
    to: number | null
    total: number
  }
}

async function list(query = ''): Promise<List & { status: number; message?: string }> {
  const { status, json } = await server.call('GET', path + query, { token: tenant.userToken })
  return { status, ...(json as unknown as List) }
}

const origin = 'https://entrepot.test'

describe('the envelope', () => {
  test('of the first page, keys in their order', async () => {
    const page = await list()
    expect(Object.keys(page)).toEqual(['status', 'data', 'links', 'meta'])
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 15))
    expect(page.links).toEqual({
      first: `${origin}${path}?page=1`,
      last: `${origin}${path}?page=2`,
      prev: null,
      next: `${origin}${path}?page=2`,
    })
    expect(page.meta).toEqual({ current_page: 1, from: 1, last_page: 2, per_page: 15, to: 15, total })
  })

  test('of the last page', async () => {
    const page = await list('?page=2')
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(15))
    expect(page.links).toMatchObject({ prev: `${origin}${path}?page=1`, next: null })
    expect(page.meta).toEqual({ current_page: 2, from: 16, last_page: 2, per_page: 15, to: 23, total })
  })

  test('of a page behind the last', async () => {
    const page = await list('?page=9')
    expect([page.status, page.data]).toEqual([200, []])
    expect(page.links).toMatchObject({ prev: `${origin}${path}?page=8`, next: null })
    expect(page.meta).toEqual({ current_page: 9, from: null, last_page: 2, per_page: 15, to: null, total })
  })

  test('of nothing', async () => {
    const page = await list('?app_id=999999999')
    expect(page.data).toEqual([])
    expect(page.links).toEqual({
      first: `${origin}${path}?app_id=999999999&page=1`,
      last: `${origin}${path}?app_id=999999999&page=1`,
      prev: null,
      next: null,
    })
    expect(page.meta).toEqual({ current_page: 1, from: null, last_page: 1, per_page: 15, to: null, total: 0 })
  })
})

describe('page and per_page', () => {
  test.each([
    ['?page=0', 1, 15],
    ['?page=-1', 1, 15],
    ['?page=abc', 1, 15],
    ['?page=', 1, 15],
    ['?page=1.5', 1, 15],
    ['?page=99999999999999999999', 1, 15],
    ['?per_page=0', 1, 15],
    ['?per_page=-5', 1, 15],
    ['?per_page=abc', 1, 15],
    ['?per_page=101', 1, 100],
    ['?per_page=1e9', 1, 15],
    ['?per_page=1&page=3', 3, 1],
    ['?page[size]=3&page[number]=2', 1, 15],
  ])('%s is page %i of %i', async (query, current_page, per_page) => {
    const page = await list(query)
    expect([page.status, page.meta]).toMatchObject([200, { current_page, per_page, total }])
  })

  test('a page as far as numbers go is empty, not an error', async () => {
    for (const number of ['1000000000000', '999999999999999']) {
      const page = await list(`?page=${number}&per_page=100`)
      expect([page.status, page.data, page.meta.current_page]).toEqual([200, [], Number(number)])
    }
  })

  test('following next from the first page meets every record once, and the filter stays', async () => {
    const met: number[] = []
    let next: string | null = `${path}?sort=name&per_page=4&unknown=a%26b&page=1`
    while (next !== null) {
      const page: List = await list(next.replace(origin, '').slice(path.length))
      met.push(...page.data.map(({ id }) => id))
      next = page.links.next
    }
    expect(met).toHaveLength(total)
    expect(new Set(met)).toEqual(new Set(ids))
  })
})

describe('filter, sort and include', () => {
  test('a filter, plain and in brackets, with one or several values', async () => {
    for (const query of [
      `?app_id=${tenant.appId}`,
      `?filter[app_id]=${tenant.appId},999`,
      `?filter%5Bapp_id%5D=${tenant.appId}`,
    ]) {
      expect((await list(query)).meta.total).toBe(4)
    }
  })

  test('a value that no record can have finds nothing', async () => {
    for (const value of ['abc', '-1', '1.5', '99999999999999999999', '1 or 1=1', "'"]) {
      const page = await list(`?app_id=${encodeURIComponent(value)}`)
      expect([page.status, page.meta.total]).toEqual([200, 0])
    }
  })

  test('sort, with the id to decide between equals', async () => {
    const page = await list('?sort=-name&per_page=100')
    const sorted = [...page.data].sort((a, b) => b.name.localeCompare(a.name) || b.id - a.id)
    expect(page.data).toEqual(sorted)
  })

  test('an unknown parameter is ignored', async () => {
    expect((await list('?colour=red&filter=x&_=1')).meta.total).toBe(total)
  })

  test.each([
    [
      '?sort=secret_hash',
      'Requested sort(s) `secret_hash` is not allowed. Allowed sort(s) are `id, name, created_at, updated_at`.',
    ],
    [
      '?sort=name,-nope',
      'Requested sort(s) `nope` is not allowed. Allowed sort(s) are `id, name, created_at, updated_at`.',
    ],
    ['?filter[secret]=a', 'Requested filter(s) `secret` are not allowed. Allowed filter(s) are `app_id`.'],
    ['?include=user', 'Requested include(s) `user` are not allowed. There are no allowed includes.'],
    [
      '?sort=id;drop%20table',
      'Requested sort(s) `id;drop table` is not allowed. Allowed sort(s) are `id, name, created_at, updated_at`.',
    ],
  ])('%s is 400', async (query, message) => {
    const page = await list(query)
    expect([page.status, page.message]).toEqual([400, message])
  })
})

test('links are built from the public address, whatever the request says of itself', async () => {
  const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
  const { text } = await server.call('GET', path, { token: tenant.userToken, headers })
  expect(text).not.toContain('evil.test')
})
