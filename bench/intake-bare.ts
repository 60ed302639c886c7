import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'
import { childSettings } from './support/child.ts'

/**
 * The bare libraries at their best: Fastify and a pool of `pg`, the signature over the raw bytes compared with a key made
 * once, one named INSERT. The integration is known beforehand, and the message is not looked into.
 */
const { databaseUrl, integrationId, secret } = childSettings<{
  databaseUrl: string
  integrationId: number
  secret: string
}>()

const key = createSecretKey(secret, 'utf8')
const text = `
  insert into shop_messages (integration_id, delivery_id, topic, headers, body) values ($1, $2, $3, $4, $5)
  on conflict do nothing`

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const server = fastify()
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
server.post('/hook', async ({ headers, body }, reply) => {
  const raw = body as Buffer
  const wanted = createHmac('sha256', key).update(raw).digest()
  const given = Buffer.from(String(headers['x-wc-webhook-signature']), 'base64')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return reply.code(401).send()
  const values = [integrationId, headers['x-wc-webhook-delivery-id'], headers['x-wc-webhook-topic'], headers, raw]
  const { rowCount } = await pool.query({ name: 'insert', text, values })
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify({ data: { received: true, duplicate: rowCount === 0 } })
})
await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${server.listeningOrigin}\n`)
process.on('SIGTERM', () => process.exit(0))
