import { describe, expect, test } from 'vitest'
import { connectors } from '../../src/connectors/index.ts'

/** The forms in which merchants connect shops are drawn from these schemas: whatever is optional is folded away. */

interface Field {
  type?: string
  title?: string
  'x-unlisted'?: boolean
}

const all = [...connectors.values()]

/** Those that a field of a form can hold. */
const shownIn = (properties: Readonly<Record<string, Field>>) =>
  Object.entries(properties).filter(([, { type, 'x-unlisted': unlisted }]) => !unlisted && type !== 'array')

describe('what a merchant is asked for', () => {
  test.each(all.map(({ type, settings }) => [type, settings] as const))('on %s is little', (_type, settings) => {
    expect((settings.required ?? []).length).toBeLessThanOrEqual(1)
  })

  test('has names that people understand', () => {
    const unnamed = all.flatMap(({ type, settings }) =>
      shownIn(settings.properties)
        .filter(([name, { title }]) => title === undefined && name.includes('_'))
        .map(([name]) => `${type}.${name}`),
    )
    expect(unnamed).toEqual([])
  })
})
