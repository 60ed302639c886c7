import { describe, expect, test } from 'vitest'
import { fieldsOf, textIn, timeOf } from '../../../commerce/reading.ts'
import { clean, reasonOf } from '../../../lib/clean-text.ts'
import { readRecords, textOf } from './read-records.ts'

const facts = { shop: 'shop.example', settings: {} }
const refuse = {
  read: () => {
    throw new TypeError('It makes no sense.')
  },
}
const quarantined = async (...raws: readonly unknown[]) => (await readRecords(refuse, raws, facts)).quarantined

describe('records of a page', () => {
  test('are read, and one that cannot be does not hold up the others', async () => {
    const read = (raw: unknown) => {
      if (raw === 2) throw new Error('Two is no record.')
      return { key: String(raw), updatedAt: null, row: raw }
    }
    expect(await readRecords({ read }, [1, 2, 3], facts)).toEqual({
      records: [
        { key: '1', updatedAt: null, row: 1 },
        { key: '3', updatedAt: null, row: 3 },
      ],
      quarantined: [
        {
          key: expect.stringMatching(/^#[0-9a-f]{64}$/),
          reason: 'The record could not be understood: Two is no record.',
          why: { code: 'record_misread', parameters: { problem: 'Two is no record.' } },
          payload: '2',
        },
      ],
    })
  })

  test('have the code of what is wrong with them, and where, if a reader has said so', async () => {
    const read = (raw: unknown) => ({ key: textIn(fieldsOf(raw), 'number'), updatedAt: null, row: raw })
    const { quarantined: found } = await readRecords({ read }, [{ id: 7 }, 'odd'], facts)
    expect(found).toMatchObject([
      {
        key: '7',
        reason: 'The shop\'s record has no "number".',
        why: { code: 'lacks_field', parameters: { name: 'number' } },
      },
      { reason: 'The shop sent something that is no record.', why: { code: 'no_record', parameters: {} } },
    ])
  })

  test('have no parameter that is endless', async () => {
    const read = (raw: unknown) => ({ key: timeOf(String(raw)), updatedAt: null, row: raw })
    const { quarantined: found } = await readRecords({ read }, ['x'.repeat(50_000)], facts)
    expect(found[0]?.reason).toHaveLength(1000)
    expect(found[0]?.why?.parameters['value']).toHaveLength(1000)
  })

  test('are known by their id where they have one', async () => {
    expect((await quarantined({ id: 7 }, { id: 'x' })).map(({ key }) => key)).toEqual(['7', 'x'])
  })

  test('without a usable id are distinguished by what they say', async () => {
    const raws = [{ a: 1 }, { a: 2 }, { id: '' }, { id: 'x'.repeat(501) }, { id: null }, null, 'text', [7]]
    const keys = (await quarantined(...raws)).map(({ key }) => key)
    expect(new Set(keys).size).toBe(raws.length)
    expect(keys.every((key) => /^#[0-9a-f]{64}$/.test(key))).toBe(true)
    expect((await quarantined({ a: 1 }))[0]?.key).toBe(keys[0])
  })

  test('are kept with their reason, as far as they are not endless and the database takes them', async () => {
    expect((await quarantined({ id: 'x'.repeat(500) }))[0]?.key).toHaveLength(500)
    expect(textOf({ a: 'x'.repeat(200_000) })).toHaveLength(100_000)
    expect(textOf(undefined)).toBe('undefined')
    expect(reasonOf(new Error('y'.repeat(2000)))).toHaveLength(1000)
    expect(reasonOf('odd')).toBe('odd')
    expect(clean('a\0b\ud800')).toBe('ab\ufffd')
  })
})
