import { describe, expect, test } from 'vitest'
import { byClient, byCode, guarded, linked, paged } from '../../../test/support/described-services.ts'
import { Fault } from '../../lib/fault.ts'
import { checkDefinition } from './check-definition.ts'

const complaints = (written: unknown): Record<string, string[]> => {
  try {
    checkDefinition(written)
    return {}
  } catch (error) {
    if (error instanceof Fault) return error.errors ?? {}
    throw error
  }
}

type Tree = { [name: string]: unknown }

/** The definition with something else at a place; undefined takes it away. */
function changed(place: string, value: unknown, definition: object = paged): Tree {
  const copy: Tree = structuredClone({ ...definition })
  const names = place.split('.')
  const last = names.pop() ?? ''
  const inner = names.reduce<Tree>((at, name) => at[name] as Tree, copy)
  if (value === undefined) delete inner[last]
  else Object.defineProperty(inner, last, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

/** Asked for by POST, with the number of the page in the body. */
const searched = {
  ...{ method: 'POST', path: '/search', items: 'data' },
  paging: { style: 'page', parameter: 'page.number', in: 'body' },
}

describe('a definition', () => {
  test('that is right is kept as it is written', () => {
    expect(checkDefinition(paged)).toEqual(paged)
    for (const right of [linked, guarded, byClient, byCode]) expect(checkDefinition(right)).toEqual(right)
  })

  test.each([
    ['origin.from', 'anywhere', 'origin.from'],
    ['origin.address', 'https://other.example', 'origin.address'],
    ['origin.base_path', '/../admin', 'origin.base_path'],
    ['auth.name', undefined, 'auth.name'],
    ['auth.name', 'Host', 'auth.name'],
    ['auth.name', 'X Key\r\nEvil: 1', 'auth.name'],
    ['orders.list.path', 'https://evil.example/orders', 'orders.list.path'],
    ['orders.list.path', '//evil.example/orders', 'orders.list.path'],
    ['orders.list.path', '/orders/../admin', 'orders.list.path'],
    ['orders.list.path', '/orders/{id}', 'orders.list.path'],
    ['orders.list.path', '/orders?all=1', 'orders.list.path'],
    ['orders.get.path', '/orders', 'orders.get.path'],
    ['orders.get.path', '/orders/{sku}', 'orders.get.path'],
    ['orders.list.paging.parameter', undefined, 'orders.list.paging.parameter'],
    ['orders.list.paging.style', 'guess', 'orders.list.paging.style'],
    ['orders.fields.total', undefined, 'orders.fields.total'],
    ['orders.fields.total', 'totals[0]', 'orders.fields.total'],
    ['orders.fields.total', 'a.b.c.d.e.f.g.h.i', 'orders.fields.total'],
    ['orders.fields.total', `${'x'.repeat(64)}.`.repeat(4), 'orders.fields.total'],
    ['orders.fields.total', '__proto__.total', 'orders.fields.total'],
    ['orders.fields.total', 'totals.constructor', 'orders.fields.total'],
    ['orders.fields.customer', { email: 'prototype' }, 'orders.fields.customer.email'],
    ['orders.fields.totl', 'total', 'orders.fields.totl'],
    ['orders.fields.currency', undefined, 'orders.fields.currency'],
    ['orders.statuses.0.ours', 'done', 'orders.statuses.0.ours'],
    ['orders.statuses.1.theirs', 'waiting', 'orders.statuses.1.theirs'],
    ['orders.payment_statuses', undefined, 'orders.payment_statuses'],
    ['orders.cancel.body.0.field', 'tracking_number', 'orders.cancel.body.0.field'],
    ['inventory.set.path', '/stock/{id}', 'inventory.set.path'],
    ['inventory.set.body.0.path', '__proto__.free', 'inventory.set.body.0.path'],
    ['inventory.set.body.0.value', 5, 'inventory.set.body.0.field'],
    ['shipments.create.body.1.path', 'parcel', 'shipments.create.body.1.path'],
    ['shipments.create.body.1.path', 'parcel.code', 'shipments.create.body.1.path'],
    ['orders.shipments', undefined, 'shipments.create.repeatable'],
    ['proxy.prefixes.0', '/articles/..', 'proxy.prefixes.0'],
    ['expression', 'a + b', 'expression'],
    ['budget.per_second', 100_000, 'budget.per_second'],
  ])('with %s as %j is refused at that place', (place, value, at) => {
    expect(Object.keys(complaints(changed(place, value)))).toEqual([`definition.${at}`])
  })

  test('says everything that is wrong at once, and needs something to read', () => {
    const wrong = { ...changed('orders.fields.total', undefined), colour: 'blue' }
    expect(Object.keys(complaints(wrong)).sort()).toEqual(['definition.colour', 'definition.orders.fields.total'])
    expect(complaints({ origin: { from: 'shop' }, auth: { kind: 'none' } })).toEqual({
      'definition.orders': ['The definition.orders field is required.'],
    })
    for (const nothing of [null, 'text', 5, [1]]) expect(Object.keys(complaints(nothing)).length).toBeGreaterThan(0)
  })

  test('has a limit', () => {
    const body = Array.from({ length: 50 }, (_, n) => ({ path: `field${n}`, value: n }))
    const many = changed('shipments.create.body', body, changed('orders.cancel.body', body))
    const more = changed('inventory.set.body', body.slice(0, 40), many)
    expect(complaints(more)).toEqual({})
    const { orders } = paged
    const address = Object.fromEntries(
      Object.keys({ name: 1, company: 1, line1: 1, line2: 1, line3: 1, city: 1, region: 1, phone: 1 }).map((name) => [
        name,
        `to.${name}`,
      ]),
    )
    const all = { ...orders?.fields, billing_address: address, shipping_address: address, note: 'note', tags: 'tags' }
    expect(complaints(changed('orders.fields', all, more))).toEqual({
      definition: ['The definition field must not have more than 200 mappings.'],
    })
  })
})

describe('a definition', () => {
  const cases: [string, unknown, Record<string, string>][] = [
    ['origin', { from: 'fixed' }, { 'origin.address': 'is required' }],
    ['origin', { from: 'setting', address: 'https://a.example' }, { 'origin.address': 'is prohibited' }],
    ['origin', { from: 'shop', base_path: '/a/./b' }, { 'origin.base_path': 'format is invalid' }],
    ['auth', { kind: 'bearer', name: 'Key' }, { 'auth.name': 'is prohibited' }],
    ['auth', { kind: 'query' }, { 'auth.name': 'is required' }],
    ['auth', { kind: 'header' }, { 'auth.name': 'is required' }],
    ['auth', { kind: 'header', name: '1Key' }, { 'auth.name': 'must begin with a letter' }],
    ['colour', 'blue', { colour: 'is unknown' }],
    ['orders.list.paging.size', 1001, { 'orders.list.paging.size': 'must not be greater than 1000' }],
    ['orders.list.paging.size', 0, { 'orders.list.paging.size': 'must be at least 1' }],
    ['orders.list.paging.first', 2, { 'orders.list.paging.first': 'must not be greater than 1' }],
    ['orders.list.paging', { style: 'cursor', parameter: 'after' }, { 'orders.list.paging.next': 'is required' }],
    ['orders.list.paging', { style: 'offset' }, { 'orders.list.paging.parameter': 'is required' }],
    ['products.list.path', '/goods/{id}', { 'products.list.path': 'format is invalid' }],
    ['products.get.path', '/goods', { 'products.get.path': 'format is invalid' }],
    ['products.get.path', '/goods/{id}/{sku}', { 'products.get.path': 'format is invalid' }],
    ['products.statuses', undefined, { 'products.statuses': 'is required' }],
    ['products.statuses.1.theirs', 'true', { 'products.statuses.1.theirs': 'has a duplicate value' }],
    [
      'products.variants.fields',
      { remote_id: 'id', price: 'p' },
      { 'products.variants.fields.currency': 'is required' },
    ],
    [
      'products.variants.fields',
      { remote_id: 'id', compare_at_price: 'p' },
      { 'products.variants.fields.currency': 'is required' },
    ],
    ['inventory.list.path', '/../stock', { 'inventory.list.path': 'format is invalid' }],
    ['test', { path: '/who/{id}' }, { 'test.path': 'format is invalid' }],
    ['proxy.resources.0.path', '/goods/..', { 'proxy.resources.0.path': 'format is invalid' }],
    ['proxy.prefixes.0', '/goods/{id}', { 'proxy.prefixes.0': 'format is invalid' }],
    ['orders.fields.fulfillment_status', 'sent', { 'orders.fulfillment_statuses': 'is required' }],
    ['orders.cancel.path', '/orders/{sku}/void', { 'orders.cancel.path': 'format is invalid' }],
    ['orders.cancel.body.0', { path: 'why' }, { 'orders.cancel.body.0.field': 'is required' }],
    ['orders.cancel.body.0.path', 'list.0', { 'orders.cancel.body.0.path': 'format is invalid' }],
    ['orders.cancel.body.0.path', '0.list', { 'orders.cancel.body.0.path': 'format is invalid' }],
    ['inventory.set.body.0.field', 'id', { 'inventory.set.body.0.field': 'is invalid' }],
    ['shipments.create.path', '/orders/{sku}/parcels', { 'shipments.create.path': 'format is invalid' }],
    ['shipments.create.idempotency_header', 'Cookie', { 'shipments.create.idempotency_header': 'format is invalid' }],
    [
      'shipments.create.lines',
      { path: 'parcel', order_line_remote_id: 'row', quantity: 'n' },
      { 'shipments.create.lines.path': 'format is invalid' },
    ],
    [
      'shipments.create.lines',
      { path: 'parcel.code.rows', order_line_remote_id: 'row', quantity: 'n' },
      { 'shipments.create.lines.path': 'format is invalid' },
    ],
    [
      'shipments.create.lines',
      { path: 'rows', order_line_remote_id: 'row', quantity: 'row.n' },
      { 'shipments.create.lines.quantity': 'format is invalid' },
    ],
    [
      'orders.list',
      { ...searched, body: [{ path: 'page', value: 1 }] },
      { 'orders.list.body.0.path': 'format is invalid', 'orders.list.paging.parameter': 'format is invalid' },
    ],
    [
      'orders.list',
      { ...searched, since: { name: 'kind.since', in: 'body' }, body: [{ path: 'kind', value: 1 }] },
      { 'orders.list.body.0.path': 'format is invalid', 'orders.list.since.name': 'format is invalid' },
    ],
    ['budget.capacity', 0, { 'budget.capacity': 'must be at least 1' }],
  ]
  test.each(cases)('with %s as %j is refused', (place, value, expected) => {
    const found = Object.entries(complaints(changed(place, value)))
    expect(found.map(([at]) => at)).toEqual(Object.keys(expected).map((at) => `definition.${at}`))
    for (const [at, [reason = '']] of found) {
      expect(reason).toContain(at)
      expect(reason).toContain(expected[at.replace('definition.', '')])
    }
  })

  const headers = [
    'host',
    'connection',
    'content-length',
    'content-type',
    'transfer-encoding',
    'upgrade',
    'te',
    'trailer',
    'cookie',
    'forwarded',
    'expect',
    'proxy-authorization',
    'keep-alive',
  ]
  test.each(headers)('cannot have its key in %s', (name) => {
    expect(Object.keys(complaints(changed('auth.name', name.toUpperCase())))).toEqual(['definition.auth.name'])
  })

  test('may have it in a parameter of the same name', () => {
    expect(complaints(changed('auth', { kind: 'query', name: 'host' }))).toEqual({})
    expect(complaints(changed('auth', { kind: 'basic' }))).toEqual({})
  })

  test.each([
    ['origin', { from: 'fixed', address: 'https://a.example', base_path: '/v1' }],
    ['format', { currency: 'EUR' }],
    ['products', undefined],
    ['inventory', undefined],
    ['proxy', undefined],
    ['test', { path: '/who' }],
    ['orders.list.paging', { style: 'none' }],
    ['orders.list.paging', { style: 'link' }],
    ['orders.list.paging', { style: 'cursor', parameter: 'after', next: 'next' }],
    [
      'orders.cancel.body',
      [
        { path: 'a.b', value: 1 },
        { path: 'a.bc', value: null },
        { path: 'x1', field: 'id' },
      ],
    ],
    ['shipments.create.lines', { path: 'rows', order_line_remote_id: 'row', quantity: 'n' }],
    ['shipments.create.lines', { path: 'parc', order_line_remote_id: 'row', quantity: 'rows' }],
    ['orders.list', { ...searched, body: [{ path: 'pages', value: 1 }] }],
    ['shipments.create.idempotency_header', 'Idempotency-Key'],
    ['products.variants.fields', { remote_id: 'id' }],
  ])('with %s as %j is right', (place, value) => {
    expect(complaints(changed(place, value))).toEqual({})
  })

  test('of shops whose parcels cannot be looked for says how else none is sent twice', () => {
    const blind = changed('orders.shipments', undefined)
    const reason =
      'The definition.shipments.create.repeatable field must be true, unless idempotency_header or definition.orders.shipments is there.'
    expect(complaints(blind)).toEqual({ 'definition.shipments.create.repeatable': [reason] })
    expect(complaints(changed('shipments.create.repeatable', true, blind))).toEqual({})
    expect(complaints(changed('shipments.create.idempotency_header', 'Key', blind))).toEqual({})
    expect(Object.keys(complaints(changed('shipments.create.repeatable', false, blind)))).toHaveLength(1)
  })

  test('without a currency anywhere', () => {
    expect(Object.keys(complaints(changed('format', undefined, linked)))).toEqual([
      'definition.orders.fields.currency',
      'definition.products.variants.fields.currency',
    ])
  })

  test('with names that nobody reads, in lists and in what is no record', () => {
    expect(complaints(changed('orders.statuses.0.colour', 'blue'))).toEqual({
      'definition.orders.statuses.0.colour': [
        'The definition.orders.statuses.0.colour field is unknown. Allowed here: theirs, ours.',
      ],
    })
    expect(Object.keys(complaints(changed('x'.repeat(300), 1)))).toEqual([`definition.${'x'.repeat(100)}`])
  })
})

describe('how a shop is opened', () => {
  const oauth = { token_address: '/token' }
  const secrets = [{ name: 'key' }]
  const send = [{ in: 'header', name: 'X-Key', value: '{key}' }]
  test.each<[object, Record<string, string>]>([
    [
      { kind: 'secrets', send },
      { secrets: 'is required', 'send.0.value': 'Nothing is filled in here.' },
    ],
    [
      { kind: 'secrets', secrets },
      { send: 'is required', 'secrets.0.name': 'must stand in braces' },
    ],
    [{ kind: 'secrets', secrets, send, oauth }, { oauth: 'is prohibited' }],
    [
      { kind: 'bearer', secrets, send },
      { secrets: 'is prohibited', send: 'is prohibited' },
    ],
    [{ kind: 'secrets', secrets: [...secrets, ...secrets], send }, { 'secrets.1.name': 'duplicate' }],
    [
      { kind: 'secrets', secrets: [{ name: 'token' }], send: [{ in: 'query', name: 't', value: '{token}' }] },
      { 'secrets.0.name': 'must not be one of token' },
    ],
    [{ kind: 'secrets', secrets: [{ name: 'Key' }], send }, { 'secrets.0.name': 'lower case' }],
    [{ kind: 'secrets', secrets, send: [{ ...send[0], value: '{key}{token}' }] }, { 'send.0.value': '{key}.' }],
    [{ kind: 'secrets', secrets, send: [{ ...send[0], name: 'Host' }] }, { 'send.0.name': 'name of a header' }],
    [{ kind: 'secrets', secrets, send: [{ ...send[0], name: 'a[b]' }] }, { 'send.0.name': 'name of a header' }],
    [{ kind: 'secrets', secrets, send: [{ in: 'header', value: '{key}' }] }, { 'send.0.name': 'is required' }],
    [{ kind: 'secrets', secrets, send: [{ in: 'basic', value: '{key}' }] }, { 'send.0.value': 'colon' }],
    [
      { kind: 'secrets', secrets, send: [{ in: 'basic', name: 'X', value: 'api:{key}' }] },
      { 'send.0.name': 'is prohibited' },
    ],
    [
      { kind: 'login', secrets },
      { login: 'is required', 'secrets.0.name': 'must stand in braces' },
    ],
    [
      { kind: 'login', secrets, login: { address: '/login?x=1', body: [{ path: 'key', value: '{key}' }] } },
      { 'login.address': 'without a query' },
    ],
    [
      { kind: 'login', secrets, login: { address: '/login', method: 'GET', body: [{ path: 'key', value: '{key}' }] } },
      { 'login.method': 'must be POST or PUT' },
    ],
    [
      {
        ...{ kind: 'login', secrets },
        login: { address: '/login', body: [{ path: 'key', value: '{key}' }], lifetime: 60, expires_in: 'seconds' },
      },
      { login: 'must have only one of' },
    ],
    [
      {
        ...{ kind: 'login', secrets },
        login: {
          address: '/login',
          body: [
            { path: 'who', value: '{key}' },
            { path: 'who.key', value: '{kee}' },
          ],
        },
      },
      { 'login.body.0.path': 'both a value and a record', 'login.body.1.value': '{key}.' },
    ],
    [{ kind: 'client_credentials' }, { oauth: 'is required' }],
    [
      { kind: 'client_credentials', oauth: { ...oauth, pkce: true, authorize_address: '/a' } },
      { 'oauth.authorize_address': 'is prohibited', 'oauth.pkce': 'is prohibited' },
    ],
    [
      { kind: 'client_credentials', oauth: { ...oauth, parameters: [{ name: 'grant_type', value: 'password' }] } },
      { 'oauth.parameters.0.name': 'sent anyway' },
    ],
    [{ kind: 'authorization_code', oauth }, { 'oauth.authorize_address': 'is required' }],
    [
      { kind: 'authorization_code', oauth: { ...oauth, authorize_address: 'javascript:alert(1)' } },
      { 'oauth.authorize_address': 'a whole address' },
    ],
  ])('%j is refused at its place', (auth, expected) => {
    const found = complaints({ ...linked, auth })
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([at, words]) => [`definition.auth.${at}`, [expect.stringContaining(words)]]),
      ),
    )
  })
})

describe('messages', () => {
  test.each<[string, unknown, Record<string, string>]>([
    ['topic', undefined, { topic: 'is required' }],
    ['topic', { header: 'X-Topic', at: 'topic' }, { topic: 'exactly one of header, at' }],
    ['delivery', {}, { delivery: 'exactly one of header, at' }],
    ['topics.1.theirs', 'sale', { 'topics.1.theirs': 'duplicate' }],
    ['topics.0.ours', 'app.uninstalled', { 'topics.0.ours': 'Allowed: order.created' }],
    ['topics.0.ours', 'product.updated', { 'topics.0.ours': 'needs definition.products.get' }],
    ['signature.over.0.name', undefined, { 'signature.over.0.name': 'is required', sent: 'part of what is signed' }],
    ['signature.over.1.value', 'x', { 'signature.over.1.value': 'is prohibited' }],
    ['signature.over', [{ from: 'text', value: 'x' }], { 'signature.over': 'something of the message' }],
    [
      'signature.over',
      [{ from: 'header', name: 'X-Time' }],
      { items: 'signed as a whole', id: 'part of what is signed' },
    ],
    ['signature.over', undefined, { sent: 'part of what is signed' }],
    ['signature.algorithm', 'md5', { 'signature.algorithm': 'Allowed: sha256, sha1, sha512' }],
  ])('with %s as %j are refused at their place', (place, value, expected) => {
    const found = complaints(changed(`webhooks.${place}`, value, guarded))
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([at, words]) => [`definition.webhooks.${at}`, [expect.stringContaining(words)]]),
      ),
    )
  })
})

describe('refunds', () => {
  test.each<[string, unknown, Record<string, string>]>([
    ['refunds.create.idempotency_header', undefined, { 'refunds.create.idempotency_header': 'is required, unless' }],
    [
      'refunds.create.idempotency_header',
      'Cookie',
      { 'refunds.create.idempotency_header': 'how a message is carried' },
    ],
    ['refunds.create.body.0.field', 'tracking_number', { 'refunds.create.body.0.money': 'is prohibited' }],
    ['refunds.create.body.1.field', 'note', { 'refunds.create.body.1.field': 'Allowed: id, amount' }],
    ['refunds.create.body.1.path', 'rows.why', { 'refunds.create.lines.path': 'format is invalid' }],
    ['refunds.create.path', '/sales/{sku}/refunds', { 'refunds.create.path': 'Filled in here: {id}.' }],
    [
      'refunds.create',
      { method: 'POST', path: '/sales/{id}/refunds', idempotency_header: 'Key' },
      { 'refunds.create.body': 'must say how much' },
    ],
  ])('with %s as %j are refused at their place', (place, value, expected) => {
    const found = complaints(changed(place, value, guarded))
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([at, words]) => [`definition.${at}`, [expect.stringContaining(words)]]),
      ),
    )
  })
})
