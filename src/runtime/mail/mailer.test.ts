import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts'
import { createMailer, type Mailer } from './mailer.ts'

let server: MailServer
let mailer: Mailer
beforeAll(async () => {
  server = await startMailServer()
  mailer = createMailer({ url: server.url, from: 'Entrepot <entrepot@example.com>' })
})
afterEach(() => {
  server.refusal = null
  server.received.length = 0
})
afterAll(async () => {
  mailer.close()
  await server.close()
})

const message = { id: '7', to: 'ada@example.com', subject: 'Grüße', text: 'As text', html: '<p>As a page</p>' }

test('a message arrives as text and as a page, under an id that stays', async () => {
  await mailer.send(message)
  const [mail] = server.received
  expect(mail).toMatchObject({ from: 'entrepot@example.com', to: ['ada@example.com'] })
  expect(mail?.source).toContain('As text')
  expect(mail?.source).toContain('<p>As a page</p>')
  expect(mail?.source).toContain('Message-ID: <7@example.com>')
})

test.each([
  'ada@example.com, eve@example.net',
  'ada@example.com\r\nBcc: eve@example.net',
  '"eve@example.net x"@example.com',
])('an address that looks like several goes to no other: %j', async (to) => {
  await mailer.send({ ...message, to }).catch(() => undefined)
  expect(server.received.flatMap((mail) => mail.to).filter((one) => one.endsWith('example.net'))).toEqual([])
  expect(server.received.filter(({ source }) => /^bcc:/im.test(source))).toEqual([])
})

test.each([
  ['worth another try', 451, 'upstream_retryable'],
  ['final', 550, 'upstream_refused'],
])('a refusal that is %s is told so, without the address', async (_, code, kind) => {
  server.refusal = { code, text: 'Not now for ada@example.com' }
  const refused = mailer.send(message)
  await expect(refused).rejects.toMatchObject({ kind })
  await expect(refused).rejects.not.toThrow(/ada@/)
})

test('a password that the server does not take, and a server that is away, are worth another try', async () => {
  const others = [server.url.replace('entrepot:', 'other:'), 'smtp://127.0.0.1:9']
  for (const url of others) {
    const other = createMailer({ url, from: 'entrepot@example.com' })
    await expect(other.send(message)).rejects.toMatchObject({ kind: 'upstream_retryable' })
    await expect(other.check()).rejects.toMatchObject({ kind: 'upstream_retryable' })
  }
  await expect(mailer.check()).resolves.toBeUndefined()
})

test('a server that lets nobody in for now, or wants a password that it was not given, has refused no letter', async () => {
  const closed = createServer((socket) => socket.end('554 Too many connections from your address\r\n'))
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  for (const url of [`smtp://127.0.0.1:${port}`, server.url.replace(/\/\/.*@/, '//')]) {
    const other = createMailer({ url, from: 'entrepot@example.com' })
    await expect(other.send(message)).rejects.toMatchObject({ kind: 'upstream_retryable' })
  }
  closed.close()
})
