import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { Fault, tooMany } from '../../lib/fault.ts'
import { idempotencyKeys } from '../db/idempotency-keys.ts'
import { createIdempotency, type Doing, type Idempotency } from './idempotency.ts'

let it: TestContext
let idempotency: Idempotency
beforeAll(async () => {
  it = await createTestContext()
  idempotency = limitedTo(1_000_000)
})
afterAll(() => it.close())

const limitedTo = (maxBytes: number) =>
  createIdempotency({ keys: idempotencyKeys(it.database.reader, it.context.keys), log: it.context.log, maxBytes })

const request = (more: object = {}) => ({
  key: randomBytes(8).toString('hex'),
  caller: 'user:1',
  method: 'POST',
  url: '/api/1.0/orders',
  body: Buffer.from('{}'),
  upload: null,
  resumes: false,
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
  await idempotency.once(asked, async ({ began }) => {
    began()
    return answer(status)
  })
  expect(text(await idempotency.once(asked, async () => answer(201, 'second')))).toBe('second')
})

test('so it is with a refusal for coming too often, also after the work has begun', async () => {
  const asked = request()
  const refused = idempotency.once(asked, async ({ began }) => {
    began()
    throw tooMany(5)
  })
  expect((await faultOf(refused)).kind).toBe('too_many')
  expect(text(await idempotency.once(asked, async () => answer(201, 'second')))).toBe('second')
})

test('a refusal of the domain stays, one from before the work began does not', async () => {
  const refuse =
    (begins: boolean) =>
    async ({ began }: Doing) => {
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

test('what is kept for one caller has a limit: then the key is free again, and others are not concerned', async () => {
  const limited = limitedTo(1000)
  const large = () => limited.once(request({ caller: 'user:large' }), async () => answer(201, 'x'.repeat(600)))
  const asked = request({ caller: 'user:large' })
  await large()
  await large()
  const refused = await faultOf(limited.once(asked, async () => answer(201)))
  expect([refused.kind, refused.retryAfterSeconds, refused.message]).toEqual([
    'too_many',
    60,
    'The answers that are kept for your Idempotency-Keys take too much space.',
  ])
  expect((await limited.once(request({ caller: 'user:small' }), async () => answer(201))).status).toBe(201)
  // Somebody else who looks at the same keys counts what is there.
  expect((await faultOf(limitedTo(1000).once(asked, async () => answer(201)))).kind).toBe('too_many')
  expect((await limitedTo(1_000_000).once(asked, async () => answer(201))).status).toBe(201)
})
