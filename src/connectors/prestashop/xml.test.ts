import { describe, expect, test } from 'vitest'
import { readXml, writeXml } from './xml.ts'

const wrapped = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><prestashop xmlns:xlink="x">${inner}</prestashop>`

describe('XML of the webservice', () => {
  test('comes out as its JSON would', () => {
    const order =
      '<order><id><![CDATA[5]]></id><id_carrier xlink:href="https://a/2"><![CDATA[2]]></id_carrier><note/></order>'
    expect(readXml(wrapped(`<orders>${order}</orders>`))).toEqual({ orders: [{ id: '5', id_carrier: '2', note: '' }] })
    expect(readXml(wrapped(`<orders>${order}${order}</orders>`))['orders']).toHaveLength(2)
    expect(readXml(wrapped(order))).toEqual({ order: { id: '5', id_carrier: '2', note: '' } })
    expect(readXml(wrapped('<orders/>'))).toEqual({ orders: [] })
  })

  test('has texts in one language or several, and lists of what belongs together', () => {
    const name = '<name><language id="1"><![CDATA[Brie]]></language><language id="2"><![CDATA[Bree]]></language></name>'
    const rows =
      '<associations><order_rows nodeType="order_row"><order_row><id>9</id></order_row></order_rows><images/></associations>'
    expect(readXml(wrapped(`<products><product>${name}${rows}</product></products>`))).toEqual({
      products: [
        {
          name: [
            { id: '1', value: 'Brie' },
            { id: '2', value: 'Bree' },
          ],
          associations: { order_rows: [{ id: '9' }], images: [] },
        },
      ],
    })
    expect(
      readXml(wrapped('<products><product><name><language id="1">Brie</language></name></product></products>')),
    ).toEqual({
      products: [{ name: 'Brie' }],
    })
  })

  test('that declares anything is refused unread', () => {
    const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
    const bomb = `<?xml version="1.0"?><!DOCTYPE p [<!ENTITY l0 "ha">${laughs}]><prestashop><orders>&l10;</orders></prestashop>`
    const file =
      '<?xml version="1.0"?><!DOCTYPE p [<!ENTITY f SYSTEM "file:///etc/passwd">]><prestashop><a>&f;</a></prestashop>'
    const crowd = wrapped(`<orders>${'<order/>'.repeat(130_000)}</orders>`)
    for (const text of [bomb, crowd, file, '<!doctype html><html></html>'])
      expect(() => readXml(text)).toThrow(TypeError)
  })

  test('that is something else is reported', () => {
    for (const text of ['<html></html>', '<a>', '']) expect(() => readXml(text)).toThrow(TypeError)
  })

  test('is written so that it can only be read as it was meant', () => {
    const nasty = `a<b>&"c'\u0000]]></name><evil>\ud800`
    const text = writeXml('product', { id: 1, name: nasty, none: null })
    expect(readXml(text)).toEqual({ product: { id: '1', name: `a<b>&"c']]></name><evil>\ufffd` } })
    expect(text).not.toContain('<evil>')
    expect(text).not.toContain('none')
  })
})
