import { describe, expect, test } from 'vitest'
import { capabilitiesOf } from '../src/commerce/capabilities.ts'
import { connectors } from '../src/connectors/index.ts'
import { type FieldTexts, sayFieldsIn } from '../web/components/fields/index.ts'
import { otherLanguages } from '../web/components/words/languages.ts'
import { type FormSchema, fieldsOf, nameOfChoice } from '../web/parts/form-fields.ts'

/** What the form of `<entrepot-connect>` asks for is said in every language, by the type of the service and the name of the field. */

const parts = ['settings', 'credentials'] as const
type Part = (typeof parts)[number]

const asked = [...connectors.values()].flatMap((connector) =>
  parts.flatMap((part) => {
    const { inSight, folded } = fieldsOf((capabilitiesOf(connector)[part] ?? {}) as FormSchema, {
      secret: part === 'credentials',
    })
    return [...inSight, ...folded].map(({ name, field }) => ({ key: `${connector.type}.${name}`, part, field }))
  }),
)
type Asked = (typeof asked)[number]

/** Keys keep the names that their platform gives them; everything else is called something in each language. */
const isKey = ({ part, field }: Asked) =>
  part === 'credentials' && /\b(?:key|ID|secret|token)$/.test(String(field.title))

/** Those that are words: countries are codes. */
const choicesOf = ({ field }: Asked): string[] =>
  (field.enum ?? []).map(String).filter((choice) => /^[a-z]/.test(choice))

const load = async (language: string): Promise<Record<Part, FieldTexts>> => {
  const { settings } = (await import(/* @vite-ignore */ `../web/components/fields/settings/${language}.ts`)) as {
    settings: FieldTexts
  }
  const { credentials } = (await import(/* @vite-ignore */ `../web/components/fields/credentials/${language}.ts`)) as {
    credentials: FieldTexts
  }
  return { settings, credentials }
}

/** The field as `credentials.woocommerce.consumer_key`. */
const named = (fields: readonly Asked[]) => fields.map(({ part, key }) => `${part}.${key}`)

test('connectors ask for settings and keys', () => {
  expect(named(asked)).toEqual(
    expect.arrayContaining(['settings.woocommerce.base_url', 'credentials.vendure.password', 'settings.magento.stock']),
  )
  expect(asked.filter(isKey).length).toBeGreaterThan(10)
  expect(asked.flatMap(choicesOf).length).toBeGreaterThan(10)
})

test('what there is to choose from has names in English, and countries are called by theirs', () => {
  const raw = asked.flatMap(({ key, field }) => {
    const nameOf = (choice: string) => nameOfChoice(choice, { field, words: {}, language: 'en' })
    return (field.enum ?? [])
      .map(String)
      .filter((choice) => nameOf(choice) === choice || nameOf(choice).includes('_'))
      .map((choice) => `${key}: ${choice}`)
  })
  expect(raw).toEqual([])
  const marketplace = asked.find(({ key }) => key === 'amazon.marketplace')?.field ?? {}
  const called = (language: string) => nameOfChoice('UK', { field: marketplace, words: {}, language })
  expect(['en', 'de', 'pl'].map(called)).toEqual(['United Kingdom', 'Vereinigtes Königreich', 'Wielka Brytania'])
})

describe.each(otherLanguages)('%s', (language) => {
  const wordsOf = (said: Record<Part, FieldTexts>, { part, key }: Asked) => said[part][key] ?? {}

  test('says what every field is called, what it is for, and what there is to choose from', async () => {
    const said = await load(language)
    expect(named(asked.filter((one) => !isKey(one) && !wordsOf(said, one).label?.trim()))).toEqual([])
    expect(named(asked.filter((one) => one.field.description && !wordsOf(said, one).help?.trim()))).toEqual([])
    expect(
      named(asked.filter((one) => choicesOf(one).some((choice) => !wordsOf(said, one).choices?.[choice]?.trim()))),
    ).toEqual([])
  })

  test('says nothing of what nobody is asked for', async () => {
    const said = await load(language)
    const known = new Set(named(asked))
    const keys = parts.flatMap((part) => Object.keys(said[part]).map((key) => `${part}.${key}`))
    expect(keys.filter((key) => !known.has(key))).toEqual([])
    const tooMuch = asked.filter((one) => {
      const { label, help, choices = {} } = wordsOf(said, one)
      const left = Object.keys(choices).filter((choice) => !choicesOf(one).includes(choice))
      return (label && isKey(one)) || (help && !one.field.description) || left.length > 0
    })
    expect(named(tooMuch)).toEqual([])
  })

  test('leaves no sentence in English', async () => {
    const said = await load(language)
    const same = asked.filter((one) => {
      const { label, help } = wordsOf(said, one)
      const isPhrase = (one.field.title ?? '').includes(' ')
      return (help && help === one.field.description) || (isPhrase && label === one.field.title)
    })
    expect(named(same)).toEqual([])
  })

  test('keeps what stands for something', async () => {
    const said = await load(language)
    const marks = (text: string) => (text.match(/\{\w+\}|`\w+`|\b\d+\b|\b\w+_(?!\w)/g) ?? []).sort().join()
    const lost = asked.filter((one) => marks(wordsOf(said, one).help ?? '') !== marks(one.field.description ?? ''))
    expect(named(lost)).toEqual([])
  })
})

test('a field of which nothing is known says what its schema says', () => {
  const say = sayFieldsIn({ settings: { 'a.b': { label: 'B' } }, credentials: {} })
  expect(say('a', 'settings', 'b')).toEqual({ label: 'B' })
  expect([say('a', 'credentials', 'b'), say('own', 'settings', 'b'), say('a', 'settings', 'toString')]).toEqual([
    null,
    null,
    null,
  ])
})
