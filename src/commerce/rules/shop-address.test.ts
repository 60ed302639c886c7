import { describe, expect, test } from 'vitest'
import { above, shopAddress, shopPattern } from './shop-address.ts'

test.each([
  ['acme.example', 'acme.example', null],
  [' https://Acme.example/ ', 'acme.example', null],
  ['HTTPS://www.acme.example', 'www.acme.example', null],
  ['https://www.acme.example?utm=1#top', 'www.acme.example', null],
  ['https://acme.example/wp-admin/admin.php?page=wc-orders', 'acme.example', null],
  ['https://acme.example/tea/wp-login.php', 'acme.example', 'https://acme.example/tea'],
  ['https://acme.example/index.php/admin_1a2b/sales/order/', 'acme.example', null],
  ['https://acme.example/Admin-dev/index.php?controller=AdminOrders', 'acme.example', null],
  ['https://store-1a2b.mybigcommerce.com/manage/orders', 'store-1a2b.mybigcommerce.com', null],
  ['https://acme.myshopify.com/admin/orders', 'acme.myshopify.com', null],
  ['https://käse.example/', 'xn--kse-qla.example', null],
  ['acme.example/shop/', 'acme.example', 'https://acme.example/shop'],
  ['http://acme.example:8080', 'acme.example', 'http://acme.example:8080'],
])('%s is understood', (typed, shop, beyond) => {
  expect(shopAddress(typed)).toEqual({ shop, beyond, hasPort: typed.includes('8080') })
})

test.each(['', 'a b', 'https://user:secret@acme.example', 'abc.0x1'])('"%s" stays as it is', (typed) => {
  expect(shopAddress(typed)).toEqual({ shop: typed, beyond: null, hasPort: false })
})

test('a page of the platform names the shop by its path', () => {
  const ofPage = ({ host, pathname }: URL) => (host === 'admin.example' ? `${pathname.slice(1)}.shops.example` : null)
  expect(shopAddress('https://admin.example/Acme', ofPage).shop).toBe('acme.shops.example')
  expect(shopAddress('https://acme.example/admin', ofPage).shop).toBe('acme.example')
})

test('above a page is the shop, sooner or later', () => {
  expect(above('https://acme.example/tea/green/')).toBe('https://acme.example/tea')
  expect(above('https://acme.example/tea')).toBe('https://acme.example')
  expect(above('https://acme.example/')).toBeNull()
})

describe('the host of a shop', () => {
  const longest = 'a'.repeat(63)
  test.each([
    'acme',
    'acme.example',
    'ACME.Example',
    'my-shop.acme.example',
    '1st.example',
    'x.y',
    'a1.b2',
    'shop.x1',
    'shop.xn--p1ai',
    `${longest}.${longest}`,
  ])('is a bare host name: %s', (shop) => {
    expect(shop).toMatch(new RegExp(shopPattern))
  })

  test.each([
    '',
    '.',
    'acme.',
    '.example',
    'acme..example',
    '-acme.example',
    'acme-.example',
    'acme.-example',
    'acme.example-',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '1',
    'acme.1',
    'https://acme.example',
    'acme.example/',
    'acme.example:8080',
    'ada@acme.example',
    'acme example',
    'acme.example\n',
    'ácme.example',
    'acme_shop.example',
    '[::1]',
    `${longest}a.example`,
    `acme.${longest}a`,
  ])('is nothing else: %j', (shop) => {
    expect(shop).not.toMatch(new RegExp(shopPattern))
  })
})
