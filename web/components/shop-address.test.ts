import { expect, test } from 'vitest'
import { shopAddress } from './shop-address.ts'

test.each([
  ['acme.example', 'acme.example', null],
  [' https://Acme.example/ ', 'acme.example', null],
  ['HTTPS://www.acme.example', 'www.acme.example', null],
  ['https://acme.example/wp-admin/admin.php?page=wc-orders', 'acme.example', null],
  ['acme.example/shop/', 'acme.example', 'https://acme.example/shop'],
  ['http://acme.example:8080', 'acme.example', 'http://acme.example:8080'],
])('%s is understood', (typed, shop, beyond) => {
  expect(shopAddress(typed)).toEqual({ shop, beyond })
})

test.each(['', 'a b', 'https://user:secret@acme.example', 'A1B2C3'])(
  '"%s" stays as it is, or becomes small',
  (typed) => {
    expect(shopAddress(typed)).toEqual({ shop: typed === 'A1B2C3' ? 'a1b2c3' : typed, beyond: null })
  },
)
