import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { type TellingShop, tellingShop } from '../../../test/support/telling-shop.ts'
import type { Reader } from '../../runtime/db/lists/paginate.ts'
import { bindVault, vaultOf } from '../../runtime/db/vault/bind-vault.ts'
import { createIntake } from './inbound-intake.ts'

let it: TestContext
let shop: TellingShop
beforeAll(async () => {
  it = await createTestContext()
  shop = await tellingShop(it.context)
})
afterAll(() => it.close())

/** An intake whose statements that store go no further until they are let go, one by one. */
function heldIntake() {
  const { reader, log } = it.context
  const held: { size: number; go(): void }[] = []
  const query: Reader['query'] = async (text, values) => {
    const [integrations] = values ?? []
    if (text.includes('insert into shop_messages') && Array.isArray(integrations))
      await new Promise<void>((go) => held.push({ size: integrations.length, go }))
    return await reader.query(text, values)
  }
  const holding = { query }
  bindVault(vaultOf(reader), holding)
  return { held, store: createIntake({ reader: holding, log }) }
}

const message = () => ({
  ...{ integration_id: shop.integration.id, delivery_id: randomUUID(), topic: null, verified: true },
  ...{ kind: null, remote_id: null, headers: {}, query: {}, body: Buffer.from('{}') },
})

test('while some are committed others are sent, unless they are few: these wait for one of the two', async () => {
  const { held, store } = heldIntake()
  const sizes = () => held.map(({ size }) => size)
  const send = (many: number) => Array.from({ length: many }, () => store(message()))
  const first = send(1)
  await expect.poll(sizes).toEqual([1])
  const few = send(3)
  const more = send(5)
  await expect.poll(sizes).toEqual([1, 8])
  const last = send(20)
  held[1]?.go()
  await Promise.all([...few, ...more])
  await expect.poll(sizes).toEqual([1, 8, 20])
  const rest = send(2)
  held[2]?.go()
  await Promise.all(last)
  expect(sizes()).toEqual([1, 8, 20])
  held[0]?.go()
  await Promise.all(first)
  await expect.poll(sizes).toEqual([1, 8, 20, 2])
  held[3]?.go()
  expect((await Promise.all(rest)).map(({ duplicate }) => duplicate)).toEqual([false, false])
})
