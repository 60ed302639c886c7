import { describe, expect, test } from 'vitest'
import { en } from './en.ts'
import { otherLanguages } from './languages.ts'

type Leaf = string | ((...args: never[]) => string)

/** Every text with the way to it: `connect.title`. */
function leaves(value: object, path = ''): [string, Leaf][] {
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'object' && one !== null ? leaves(one, `${path}${key}.`) : [[`${path}${key}`, one as Leaf]],
  )
}

/** With two for a number, so that every form of the plural but the first is seen. */
const said = (leaf: Leaf): string =>
  typeof leaf === 'string' ? leaf : (leaf as (...args: unknown[]) => string)(2, 'X2')

const english = new Map(leaves(en))

describe.each(otherLanguages)('%s', (code) => {
  /** Steps as they are written down: the words bring them along ready to say, by the code of a step. Reasons and fields have tests of their own. */
  const load = async () => {
    const { words } = (await import(/* @vite-ignore */ `./${code}.ts`)) as { words: object }
    const { steps } = (await import(/* @vite-ignore */ `../steps/${code}.ts`)) as { steps: object }
    return new Map(leaves({ ...words, steps, reasons: {}, fields: {} }))
  }

  test('says everything that English says', async () => {
    const words = await load()
    expect([...english.keys()].filter((key) => !words.has(key))).toEqual([])
    expect([...words].filter(([, leaf]) => said(leaf).trim() === '')).toEqual([])
  })

  test('says what it is given', async () => {
    const words = await load()
    const given = (leaf: Leaf | undefined) =>
      ['2', 'X2'].filter((part) => leaf !== undefined && said(leaf).includes(part))
    const lost = [...english].filter(([key, leaf]) => given(words.get(key)).length < given(leaf).length)
    expect(lost.map(([key]) => key)).toEqual([])
  })

  test('leaves no sentence in English', async () => {
    const words = await load()
    const same = [...english].filter(
      ([key, leaf]) => said(leaf).split(' ').length > 2 && said(words.get(key) ?? '') === said(leaf),
    )
    expect(same.map(([key]) => key)).toEqual([])
  })
})
