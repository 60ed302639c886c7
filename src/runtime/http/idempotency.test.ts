import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { Fault, tooMany } from '../../lib/fault.ts'
import { idempotencyKeys } from '../db/idempotency-keys.ts'
import { createIdempotency, type Idempotency } from './idempotency.ts'

let it: TestContext
let idempotency: Idempotency
beforeAll(async () => {
  it = await createTestContext()
  const { log, keys } = it.context
  idempotency = createIdempotency({ keys: idempotencyKeys(it.database.pool, keys), log })
})
afterAll(() => it.close())

const request = (more: object = {}) => ({
  key: randomBytes(8).toString('hex'),
  caller: 'user:1',
  method: 'POST',
  url: '/api/1.0/orders',
  body: Buffer.from('{}'),
  upload: null,
  ...more,
})
const answer = (status: number, body = `${status}`) => ({ status, headers: {}, body })
const text = ({ body }: { body?: unknown }) => String(body)

test('what was done is answered again, whatever would be answered now', async () => {
  const asked = request()
  expect(await idempotency.once(asked, async () => answer(201, 'first'))).toMatchObject({ status: 201 })
  const again = await idempotency.once(asked, async () => answer(500, 'never'))
  expect([again.status, text(again), again.headers?.['idempotent-replayed']]).toEqual([201, 'first', 'true'])
})

test.each([429, 500, 503])('an answer of %i is nobody’s last word: the same key tries again', async (status) => {
  const asked = request()
  await idempotency.once(asked, async (began) => {
    began()
    return answer(status)
  })
  expect(text(await idempotency.once(asked, async () => answer(201, 'second')))).toBe('second')
})

test('so it is with a refusal for coming too often, also after the work has begun', async () => {
  const asked = request()
  const refused = idempotency.once(asked, async (began) => {
    began()
    throw tooMany(5)
  })
  expect((await faultOf(refused)).kind).toBe('too_many')
  expect(text(await idempotency.once(asked, async () => answer(201, 'second')))).toBe('second')
})

test('a refusal of the domain stays, one from before the work began does not', async () => {
  const refuse = (begins: boolean) => async (began: () => void) => {
    if (begins) began()
    throw new Fault('conflict', 'It is there already.')
  }
  const [early, late] = [request(), request()]
  await faultOf(idempotency.once(early, refuse(false)))
  expect((await idempotency.once(early, async () => answer(201))).status).toBe(201)
  await faultOf(idempotency.once(late, refuse(true)))
  expect((await idempotency.once(late, async () => answer(201))).status).toBe(409)
})

test('a key belongs to its request', async () => {
  const asked = request()
  await idempotency.once(asked, async () => answer(201))
  for (const other of [{ url: '/api/1.0/products' }, { method: 'PUT' }, { body: Buffer.from('{"a":1}') }]) {
    const refused = idempotency.once({ ...asked, ...other }, async () => answer(201))
    expect((await faultOf(refused)).errors).toHaveProperty('Idempotency-Key')
  }
  const stranger = { ...asked, caller: 'user:2' }
  expect(text(await idempotency.once(stranger, async () => answer(201, 'theirs')))).toBe('theirs')
})
