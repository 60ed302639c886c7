import { expect, test } from 'vitest'
import { openImitation } from '../../../test/support/imitation.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import { isRightsMissing } from '../../commerce/rules/rights.ts'
import { customers } from './customers.ts'
import { vendure } from './index.ts'
import type { Credentials, Settings } from './settings.ts'

test('a key that may not read customers is told so, and is not called wrong', async () => {
  const errors = [{ message: 'You are not authorized', extensions: { code: 'FORBIDDEN' } }]
  const { shop } = openImitation<Settings, Credentials>(vendure, {
    before: ({ request }) =>
      JSON.stringify(request.body).includes('query Customer') ? { status: 200, headers: {}, body: { errors } } : null,
  })
  const query = { updatedSince: null, statuses: [], cursor: null, limit: 10 }
  for (const ask of [() => customers.list(shop, query), () => customers.get(shop, '1')]) {
    const failure = await ask().catch((error: unknown) => error)
    expect([isRightsMissing(failure), isCredentialsRefusal(failure)]).toEqual([true, false])
    expect(failure).toMatchObject({ message: expect.stringContaining('ReadCustomer') })
  }
})
