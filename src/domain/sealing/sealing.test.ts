import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { clearTablesWith } from '../../../test/support/tables-with.ts'
import { say } from '../../commerce/words/say.ts'
import { sealRecord } from '../../lib/sealing/record-box.ts'
import { destroyKey, keyForSealing } from '../../runtime/db/vault/vault.ts'
import { findDelivery, listDeliveries } from '../inbound/inbound-list-store.ts'
import { inboundWords } from '../inbound/inbound-message.ts'
import { insertInbound } from '../inbound/inbound-store.ts'
import { dueDeliveries, finishDeliveries, postponeDeliveries } from '../inbound/inbound-work-store.ts'
import { endAttempt, holdOperation, unconfirmedOperations } from '../operations/operation-store.ts'
import { addHistory, historyOfOrders } from '../orders/privacy/history-store.ts'
import { operationsOf } from '../passport/passport-store.ts'
import { newestQuarantined, quarantine } from '../sync/quarantine/quarantine-store.ts'
import { sealStoredRows } from './seal-stored.ts'
import { countUnsealed } from './sealable-store.ts'

let tested: TestContext
let id: number
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())
beforeEach(async () => {
  id = (await makeIntegration(tested.context, { appId: null })).integration.id
})

const run = <Row>(text: string, ...values: unknown[]) => tested.database.query<Row & object>(text, values)
const everyPage = { page: 1, perPage: 15, filter: {}, sort: [{ field: 'id', descending: false }] }
const word = 'zebrafinch'
const seal = () => sealStoredRows.run(tested.context, {}, { attempt: 1, signal: new AbortController().signal })

/** The columns of one row in the place of those of another. */
const move = (table: string, columns: string, { from, to }: { from: string; to: string }) =>
  run(
    `update ${table} set (${columns}) = (select ${columns} from ${table} where integration_id = $1 and ${from})
     where integration_id = $1 and ${to}`,
    id,
  )

describe('what a shop has sent', () => {
  const send = async (...names: string[]) => {
    const message = { topic: 'order.updated', verified: true, kind: 'order', remote_id: '1' }
    const said = { headers: { 'x-buyer': word }, query: { who: word }, body: Buffer.from(`{"email":"${word}"}`) }
    await insertInbound(
      tested.context.reader,
      names.map((name) => ({ integration_id: id, delivery_id: name, ...message, ...said })),
    )
    return said
  }
  const due = () => dueDeliveries(tested.context.db, id, 10)

  test('is in the clear nowhere, and reads as it came', async () => {
    const said = await send('a')
    expect(await due()).toMatchObject([{ ...said, lost: false }])
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect((await listDeliveries(tested.context.reader, id, everyPage)).rows).toMatchObject([
      { size: said.body.length, error: null },
    ])
  })

  test('goes with what went wrong with it', async () => {
    await send('b')
    const [one] = await due()
    await postponeDeliveries(tested.context.db, id, [{ id: one?.id ?? 0, seconds: 9, error: `${word} is no number.` }])
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await findDelivery(tested.context.db, id, one?.id ?? 0)).toMatchObject({
      error: `${word} is no number.`,
      reason: null,
    })
  })

  test('goes with what that follows from, if we have said it', async () => {
    await send('f', 'g')
    const [one, other] = await due()
    const error = inboundWords('message.not_parsed', { reason: word })
    await postponeDeliveries(tested.context.db, id, [{ id: one?.id ?? 0, seconds: 9, error }])
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await findDelivery(tested.context.db, id, one?.id ?? 0)).toMatchObject({
      error: `It could not be parsed: ${word}`,
      reason: { code: 'message.not_parsed', parameters: { reason: word } },
    })
    const ours = inboundWords('message.nothing_to_do')
    await finishDeliveries(tested.context.db, id, [
      { id: one?.id ?? 0, outcome: 'stored' },
      { id: other?.id ?? 0, outcome: 'ignored', error: ours },
    ])
    const { rows } = await listDeliveries(tested.context.reader, id, everyPage)
    expect(rows.map(({ error: said, reason }) => [said, reason])).toEqual([
      [null, null],
      [ours.text, { code: 'message.nothing_to_do', parameters: {} }],
    ])
  })

  test('opens in no other row, and the others are read', async () => {
    const said = await send('c', 'd')
    await move('shop_messages', 'private', { from: `delivery_id = 'c'`, to: `delivery_id = 'd'` })
    expect(await due()).toMatchObject([
      { ...said, lost: false },
      { body: Buffer.alloc(0), lost: true },
    ])
  })

  test('is lost with the key, and nothing fails', async () => {
    await send('e')
    const [one] = await due()
    await postponeDeliveries(tested.context.db, id, [{ id: one?.id ?? 0, seconds: 0, error: word }])
    await tested.context.transaction((trx) => destroyKey(trx, id))
    expect(await due()).toMatchObject([{ lost: true }])
    const { rows } = await listDeliveries(tested.context.reader, id, everyPage)
    expect(rows).toMatchObject([{ error: '[redacted]', reason: null }])
  })
})

describe('a record that was set aside', () => {
  const why = { code: 'no_number', parameters: { name: word } }
  const setAside = (...keys: string[]) =>
    quarantine(
      tested.context.db,
      { integrationId: id, kind: 'orders', runId: 0 },
      keys.map((key) => ({ key, reason: `${word} is no number.`, why, payload: `{"${key}":"${word}"}` })),
    )
  const aside = async () =>
    (await newestQuarantined(tested.context.db, [id]))
      .map(({ remote_id: key, reason, payload }) => [key, reason, payload])
      .sort()

  test('is in the clear nowhere, with its reason, and reads as it came', async () => {
    await setAside('1')
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await aside()).toEqual([['1', `${word} is no number.`, `{"1":"${word}"}`]])
    expect((await newestQuarantined(tested.context.db, [id])).map((row) => row.why)).toEqual([why])
  })

  test('opens in no other row, and is lost with the key', async () => {
    await setAside('1', '2')
    await move('quarantine', 'private', { from: `remote_id = '1'`, to: `remote_id = '2'` })
    const lost = ['[redacted]', null]
    expect(await aside()).toEqual([
      ['1', `${word} is no number.`, `{"1":"${word}"}`],
      ['2', ...lost],
    ])
    await tested.context.transaction((trx) => destroyKey(trx, id))
    expect(await aside()).toEqual([
      ['1', ...lost],
      ['2', ...lost],
    ])
  })
})

describe('a change in a shop', () => {
  const input = { order_remote_id: '7', customer: { email: word }, note: 'a\0b' }
  const plan = (key: string) => ({ kind: 'create_refund', key, input, once: true }) as const
  const hold = (key: string) => holdOperation(tested.context.db, id, plan(key), 'me')
  const confirm = async (key: string) => {
    const held = await hold(key)
    if (!held) expect.fail()
    await endAttempt(tested.context.db, id, held, { status: 'confirmed', result: { remote_id: '7', note: word } })
  }

  test('is in the clear nowhere but for its order, and reads as it was', async () => {
    await confirm('a')
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await hold('a')).toMatchObject({ status: 'confirmed', result: { remote_id: '7', note: word } })
    expect(await run('select input, result, error from operations where integration_id = $1', id)).toEqual([
      { input: { order_remote_id: '7' }, result: { remote_id: '7' }, error: null },
    ])
    expect(await operationsOf(tested.context.db, id, '7')).toMatchObject([{ kind: 'create_refund', error: null }])
  })

  test('says what the shop refused to whoever may see it', async () => {
    const held = await hold('b')
    if (!held) expect.fail()
    await endAttempt(tested.context.db, id, held, { status: 'refused', error: `${word} is unknown.` })
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await operationsOf(tested.context.db, id, '7')).toMatchObject([
      { error: `${word} is unknown.`, reason: null },
    ])
  })

  test('says what the refusal follows from, if we have said it', async () => {
    const held = await hold('e')
    if (!held) expect.fail()
    const { text: error, ...reason } = say('sku_unknown', { sku: word })
    await endAttempt(tested.context.db, id, held, { status: 'refused', error, reason })
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await operationsOf(tested.context.db, id, '7')).toMatchObject([{ error, reason }])
  })

  test('opens as well where it was sealed before reasons were', async () => {
    await confirm('f')
    const place = `operations.private_result/${id}/create_refund/f`
    const old = sealRecord(await keyForSealing(tested.context.db, id), JSON.stringify([null, 'No.']), place)
    await run('update operations set private_result = $2 where integration_id = $1', id, old)
    expect(await operationsOf(tested.context.db, id, '7')).toMatchObject([{ error: 'No.', reason: null }])
  })

  test('whose record was moved is asked after by what is wanted now, and its answer is lost', async () => {
    await confirm('c')
    await confirm('d')
    await move('operations', 'private_input, private_result', { from: `key = 'c'`, to: `key = 'd'` })
    expect(await hold('c')).toMatchObject({ lostAnswer: false })
    expect(await hold('d')).toMatchObject({ status: 'confirmed', lostAnswer: true, result: null })
    const shown = await operationsOf(tested.context.db, id, '7')
    expect(shown.map(({ error }) => error)).toEqual(['[redacted]', null])
  })

  test('is given up where nobody can say any longer what it was', async () => {
    await hold('e')
    await run(
      `update operations set status = 'sent', lease_until = null, updated_at = now() - interval '2 hours'
       where integration_id = $1`,
      id,
    )
    const own = async () =>
      (await unconfirmedOperations(tested.context.db, 100)).filter(({ integration_id: of }) => of === id)
    expect(await own()).toMatchObject([{ overdue: false, input: { ...input, note: 'ab' } }])
    await tested.context.transaction((trx) => destroyKey(trx, id))
    expect(await own()).toMatchObject([{ overdue: true }])
  })
})

describe('what callers write into the history of an order', () => {
  const add = (...notes: string[]) =>
    addHistory(
      tested.context.db,
      id,
      notes.map((note) => ({ order_id: 1, status: 'PENDING', source: 'api', note })),
    )
  const notes = async () => (await historyOfOrders(tested.context.db, id, [1])).map(({ note }) => note)

  test('is in the clear nowhere, and reads as it was written beside words of ours', async () => {
    await add(`${word} called.`)
    await addHistory(tested.context.db, id, [{ order_id: 1, status: 'PENDING', source: 'shop', note: 'A wish.' }])
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await notes()).toEqual([`${word} called.`, 'A wish.'])
  })

  test('opens in no other row, and is lost with the key', async () => {
    await add('one', 'two')
    await run(
      `update order_history set private = (select private from order_history where integration_id = $1 order by id limit 1)
       where integration_id = $1`,
      id,
    )
    expect(await notes()).toEqual(['one', '[redacted]'])
    await tested.context.transaction((trx) => destroyKey(trx, id))
    expect(await notes()).toEqual(['[redacted]', '[redacted]'])
  })
})

test('rows from before are counted and sealed by the clock, and read as they did', async () => {
  await run(
    `insert into shop_messages (integration_id, delivery_id, kind, remote_id, verified, headers, body, outcome, error)
     values ($1, 'old', 'order', '1', true, '{"x-buyer": "${word}"}', '${word}', null, '${word} is no number.'),
       ($1, 'gone', 'order', '1', true, '{}', '', 'ignored', 'Nothing to do.')`,
    id,
  )
  await run(
    `insert into quarantine (integration_id, kind, remote_id, run_id, reason, payload) values ($1, 'orders', '1', 0, '${word}', '${word}')`,
    id,
  )
  await run(
    `insert into operations (integration_id, kind, key, status, input, result, error)
     values ($1, 'create_order', 'old', 'confirmed', '{"note": "${word}"}', '{"remote_id": "1", "note": "${word}"}', null)`,
    id,
  )
  await run(
    `insert into order_history (integration_id, order_id, status, source, note)
     values ($1, 1, 'PENDING', 'api', '${word}'), ($1, 1, 'PENDING', 'shop', 'A wish.')`,
    id,
  )
  const read = async () => {
    const notes = (await historyOfOrders(tested.context.db, id, [1])).map(({ note }) => note)
    const [message] = await dueDeliveries(tested.context.db, id, 1)
    const page = await listDeliveries(tested.context.reader, id, everyPage)
    const [aside] = await newestQuarantined(tested.context.db, [id])
    const { headers, body } = message ?? expect.fail()
    return [
      headers,
      body.toString(),
      page.rows.map(({ error, size }) => [error, size]),
      aside?.reason,
      aside?.payload,
      notes,
    ]
  }
  const before = await read()
  const unsealed = async () =>
    (await countUnsealed(tested.context.db)).flatMap(({ table, rows }) => (rows > 0 ? [`${table} ${rows}`] : []))
  expect(await unsealed()).toEqual(['order_history 1', 'shop_messages 1', 'quarantine 1', 'operations 1'])
  await seal()
  expect(await unsealed()).toEqual([])
  expect(await clearTablesWith(tested.context.db, word)).toEqual([])
  expect(await read()).toEqual(before)
  expect(
    await holdOperation(tested.context.db, id, { kind: 'create_order', key: 'old', input: {}, once: true }, 'me'),
  ).toMatchObject({ result: { remote_id: '1', note: word } })
})
