import fc from 'fast-check'

const letter = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((unit) => unit !== '\\')

/**
 * Any JSON, whose names have no backslashes: V8 reads a name with an escape as one with a backslash that it has seen at the
 * same place of an earlier text (nodejs/node#63785), so that `JSON.parse` cannot say what is right.
 */
export const anyJson = (maxDepth?: number): fc.Arbitrary<fc.JsonValue> =>
  fc.jsonValue({ ...(maxDepth !== undefined && { maxDepth }), stringUnit: letter })
