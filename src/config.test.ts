import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('hosts that may be reached are taken as they are named', () => {
  expect(readConfig({ EGRESS_ALLOW: ' 127.0.0.1:4010, [::1]:8080 ,shop.test,' }).egressAllow).toEqual([
    ...['127.0.0.1:4010', '[::1]:8080', 'shop.test'],
  ])
})

test('proxies are addresses, ranges of them or their usual names; anything else is named', () => {
  const { trustProxy } = readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1,loopback' })
  expect(trustProxy).toEqual(['10.0.0.0/8', '::1', 'loopback'])
  for (const entry of ['abc', '10.0.0.0/33', '10.0.0.0/8/1', '::1/x']) {
    expect(() => readConfig({ TRUST_PROXY: `127.0.0.1,${entry}` })).toThrow(`TRUST_PROXY must be`)
  }
})

test('hosts of shops are no hosts of webhooks', () => {
  expect(readConfig({ EGRESS_ALLOW: '127.0.0.1:4010' }).webhookAllow).toEqual([])
  expect(readConfig({ WEBHOOK_ALLOW: '127.0.0.1:4011' })).toMatchObject({
    egressAllow: [],
    webhookAllow: ['127.0.0.1:4011'],
  })
})

test.each(['http://127.0.0.1:4010', '127.0.0.1/8', '*.test', '127.0.0.1:x'])(
  '"%s" is no host, and stops the start',
  (entry) => {
    expect(() => readConfig({ EGRESS_ALLOW: `shop.test,${entry}` })).toThrow(`"${entry}" is none.`)
  },
)

test('days for which people may be known are read by type of service', () => {
  expect([...readConfig({ PERSONAL_DATA_DAYS: ' amazon=20, my-erp=0 ' }).personalDataDays]).toEqual([
    ['amazon', 20],
    ['my-erp', 0],
  ])
  for (const entry of ['amazon', 'amazon=', '=5', 'amazon=soon', 'Amazon=5', 'amazon=1.5']) {
    expect(() => readConfig({ PERSONAL_DATA_DAYS: `ebay=1,${entry}` })).toThrow(`"${entry}" is none.`)
  }
})

test('a collector of spans is taken as OpenTelemetry names it', () => {
  expect(readConfig({}).telemetry).toBeNull()
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%2Cb,other=c',
  }
  expect(readConfig(settings).telemetry).toEqual({
    endpoint: 'http://127.0.0.1:4318',
    headers: { 'x-key': 'a,b', other: 'c' },
    serviceName: 'entrepot',
  })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'key' },
    'a comma-separated list of name=value',
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'key=%' }, 'is not percent-encoded'],
])('%j stops the start', (env, words) => {
  expect(() => readConfig(env)).toThrow(words)
})

test('hosts of platforms are led to this machine, during development', () => {
  const EGRESS_ROUTE = 'api.ebay.com=http://127.0.0.1:4001, apiz.ebay.com=http://[::1]:4001'
  expect([...readConfig({ NODE_ENV: 'development', EGRESS_ROUTE }).egressRoutes]).toEqual([
    ['api.ebay.com', 'http://127.0.0.1:4001'],
    ['apiz.ebay.com', 'http://[::1]:4001'],
  ])
  for (const NODE_ENV of [undefined, '', 'production', 'test'])
    expect(() => readConfig({ NODE_ENV, EGRESS_ROUTE })).toThrow('EGRESS_ROUTE is for development only')
})

test.each([
  'api.ebay.com',
  'api.ebay.com=127.0.0.1:4001',
  'api.ebay.com=https://127.0.0.1:4001',
  'api.ebay.com=http://10.0.0.1:4001',
  'api.ebay.com=http://localhost.example:4001',
  'api.ebay.com=http://127.0.0.1.example:4001',
  'api.ebay.com=http://127.0.0.1:4001/path',
  'api.ebay.com=http://user@127.0.0.1:4001',
  '*=http://127.0.0.1:4001',
  '=http://127.0.0.1:4001',
])('the route "%s" leads nowhere on this machine, and stops the start', (entry) => {
  expect(() => readConfig({ NODE_ENV: 'development', EGRESS_ROUTE: entry })).toThrow(`"${entry}" is none.`)
})

test('a mail server is named together with a sender, and a wrong one is not repeated', () => {
  expect(readConfig({}).mail).toBeNull()
  const SMTP_URL = 'smtps://user:secret@mail.example.com'
  for (const from of ['entrepot@example.com', 'Entrepot <entrepot@example.com>']) {
    expect(readConfig({ SMTP_URL, MAIL_FROM: from }).mail).toEqual({ url: SMTP_URL, from })
  }
  for (const from of ['', 'entrepot', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com']) {
    expect(() => readConfig({ SMTP_URL, MAIL_FROM: from })).toThrow('MAIL_FROM is required')
  }
  for (const url of ['https://user:secret@mail.example.com', 'mail.example.com', 'smtp://']) {
    expect(() => readConfig({ SMTP_URL: url, MAIL_FROM: 'a@example.com' })).toThrow(
      /^SMTP_URL must look like (?!.*secret)/,
    )
  }
})

test('a secret may be in a file, but not in both places', () => {
  const folder = mkdtempSync(join(tmpdir(), 'entrepot-config-'))
  try {
    const file = join(folder, 'token')
    writeFileSync(file, 'secret\n')
    expect(readConfig({ METRICS_TOKEN_FILE: file }).metricsToken).toBe('secret')
    expect(() => readConfig({ METRICS_TOKEN_FILE: file, METRICS_TOKEN: 'other' })).toThrow('exclude each other')
    expect(() => readConfig({ METRICS_TOKEN_FILE: join(folder, 'none') })).toThrow('METRICS_TOKEN_FILE cannot be read')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
