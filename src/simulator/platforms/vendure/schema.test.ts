import { expect, test } from 'vitest'
import { notIn } from '../../../../test/support/schema-subset.ts'
import {
  hasSpecifications,
  noSpecifications,
  readGraphqlSchema,
} from '../../../../test/support/vendor-specification.ts'
import { schema } from './schema.ts'

test('the schema is a part of the platform’s own', (context) => {
  if (!hasSpecifications) return context.skip(noSpecifications)
  expect(notIn(readGraphqlSchema('vendure/schema-admin.json'), schema)).toEqual([])
})
