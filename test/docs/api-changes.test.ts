import { describe, expect, test } from 'vitest'
import { type ChangeKind, compareApis, isBreaking, lineOf } from '../../scripts/api-changes/compare.ts'
import { readAccepted, readReleased, snapshotOf } from '../../scripts/api-changes/released.ts'
import { endpoints } from '../../src/api/index.ts'
import { apiDocument } from '../../src/api/openapi-page.ts'

/** What is different from the last release, and that nothing of it breaks anybody without a reason. */

interface Parts {
  parameters?: readonly object[]
  input?: object
  output?: object
  event?: object
  bodyRequired?: boolean
  paths?: object
  webhooks?: object
  components?: object
}

const content = (schema: object) => ({ content: { 'application/json': { schema } } })

function documentOf(parts: Parts = {}): Record<string, unknown> {
  const { parameters = [], input = {}, output = {}, event = {}, bodyRequired = true } = parts
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) })
  const operation = {
    summary: 'Make a thing',
    parameters,
    requestBody: { required: bodyRequired, ...content('type' in input ? input : object(input)) },
    responses: { 201: content('type' in output || '$ref' in output ? output : object(output)) },
  }
  return {
    paths: parts.paths ?? { '/things': { post: operation } },
    webhooks: parts.webhooks ?? { 'thing.made': { post: { requestBody: content(object(event)) } } },
    components: parts.components ?? {},
  }
}

const text = { type: 'string' }
const named = (name: string, more: object = {}) => ({ name, in: 'query', schema: text, ...more })
const optionally = (properties: object) => ({ type: 'object', properties })

const cases: readonly (readonly [string, Parts, Parts, ChangeKind])[] = [
  ['an operation that goes', {}, { paths: {} }, 'removed'],
  ['an operation that comes', { paths: {} }, {}, 'added'],
  ['an event that goes', {}, { webhooks: {} }, 'removed'],
  ['an event that comes', { webhooks: {} }, {}, 'added'],
  ['a parameter that goes', { parameters: [named('q')] }, {}, 'removed'],
  ['a parameter that may be sent', {}, { parameters: [named('q')] }, 'added'],
  ['a parameter that must be sent', {}, { parameters: [named('q', { required: true })] }, 'demanded'],
  [
    'a parameter that must be sent now',
    { parameters: [named('q')] },
    { parameters: [named('q', { required: true })] },
    'demanded',
  ],
  ['a field of the body that goes', { input: { a: text } }, { input: {} }, 'removed'],
  ['a field of the body that may be sent', { input: {} }, { input: optionally({ a: text }) }, 'added'],
  ['a field of the body that must be sent', { input: {} }, { input: { a: text } }, 'demanded'],
  ['a field of the body that must be sent now', { input: optionally({ a: text }) }, { input: { a: text } }, 'demanded'],
  ['a body that must be sent', { bodyRequired: false }, {}, 'demanded'],
  [
    'a type that takes less',
    { input: { a: { type: ['string', 'null'] } } },
    { input: { a: { type: 'string' } } },
    'narrowed',
  ],
  [
    'a type that takes less, of several',
    { input: { a: { anyOf: [text, { type: 'integer' }] } } },
    { input: { a: text } },
    'narrowed',
  ],
  ['a type that takes more', { input: { a: { type: 'integer' } } }, { input: { a: { type: 'number' } } }, 'widened'],
  [
    'a word that is no longer taken',
    { input: { a: { enum: ['x', 'y'] } } },
    { input: { a: { enum: ['x'] } } },
    'narrowed',
  ],
  [
    'a word that is taken besides',
    { input: { a: { enum: ['x'] } } },
    { input: { a: { enum: ['x', 'y'] } } },
    'new value',
  ],
  ['a text that becomes certain words', { input: { a: text } }, { input: { a: { ...text, enum: ['x'] } } }, 'narrowed'],
  [
    'a lower limit',
    { input: { a: { ...text, maxLength: 9 } } },
    { input: { a: { ...text, maxLength: 8 } } },
    'narrowed',
  ],
  ['a limit that was not there', { input: { a: text } }, { input: { a: { ...text, maxLength: 8 } } }, 'narrowed'],
  ['a field of the answer that goes', { output: { a: text } }, { output: {} }, 'removed'],
  ['a field of the answer that comes', { output: {} }, { output: { a: text } }, 'added'],
  ['a field that may be missing now', { output: { a: text } }, { output: optionally({ a: text }) }, 'loosened'],
  [
    'a field that may be null now',
    { output: { a: text } },
    { output: { a: { anyOf: [text, { type: 'null' }] } } },
    'loosened',
  ],
  ['a field of another type', { output: { a: text } }, { output: { a: { type: 'integer' } } }, 'loosened'],
  [
    'a word that is answered besides',
    { output: { a: { enum: ['x'] } } },
    { output: { a: { enum: ['x', 'y'] } } },
    'new value',
  ],
  ['a field of an event that goes', { event: { a: text } }, { event: {} }, 'removed'],
  [
    'a field inside of a list',
    { output: { a: { type: 'array', items: { type: 'object', properties: { b: text } } } } },
    { output: { a: { type: 'array', items: { type: 'object', properties: {} } } } },
    'removed',
  ],
]

describe('the comparer', () => {
  test.each(cases)('sees %s', (_, before, after, kind) => {
    expect(compareApis(documentOf(before), documentOf(after)).map((one) => one.kind)).toEqual([kind])
  })

  test('sees nothing where nothing is different, in whatever order it stands', () => {
    for (const [, before, after] of cases) {
      for (const parts of [before, after]) expect(compareApis(documentOf(parts), documentOf(parts))).toEqual([])
    }
  })

  test('says what of a record once, although it stands in several places', () => {
    const of = (properties: object) => {
      const thing = { type: 'object', properties }
      const ref = { $ref: '#/components/schemas/Thing' }
      const answer = { responses: { 200: content(ref) } }
      return documentOf({
        paths: { '/a': { get: answer }, '/b': { get: answer } },
        components: { schemas: { Thing: thing } },
      })
    }
    expect(compareApis(of({ a: text }), of({})).map(lineOf)).toEqual(['Thing `a`: is gone'])
  })
})

const document = apiDocument(endpoints)

test('what is kept of a release is all that can be compared: against itself nothing has changed', () => {
  expect(compareApis(JSON.parse(snapshotOf(document)), document)).toEqual([])
})

test('nothing breaks whoever uses the last release, but for what was decided on, with a reason', async () => {
  const breaking = compareApis(await readReleased(), document)
    .filter(isBreaking)
    .map(lineOf)
  const accepted = await readAccepted()
  expect(breaking.filter((line) => !accepted[line])).toEqual([])
  // What is no longer a break needs no reason.
  expect(Object.keys(accepted).filter((line) => !breaking.includes(line))).toEqual([])
})
