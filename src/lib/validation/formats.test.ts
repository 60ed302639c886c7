import { describe, expect, test } from 'vitest'
import { type FormatName, formats } from './formats.ts'

const samples: Record<FormatName, { yes: string[]; no: string[] }> = {
  email: {
    yes: ['ada@example.com', 'a.b+c@sub.example.co', "o'brien@example.com", 'jörg@müller.example', 'a@1.2'],
    no: [
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'a da@example.com',
      'ada@exa mple.com',
      'ada@@example.com',
      '.ada@example.com',
      'ada.@example.com',
      'a..b@example.com',
      'ada@.example.com',
      'ada@example..com',
      'ada@example.com.',
      'ada@-example.com',
      'ada@example.com\n',
      'Ada <ada@example.com>',
      'a,b@example.com',
      `${'a'.repeat(65)}@example.com`,
    ],
  },
  url: {
    yes: [
      'http://example.com',
      'https://example.com:8443/a?b=c#d',
      'HTTPS://EXAMPLE.COM',
      'http://127.0.0.1/',
      'http://[::1]/',
    ],
    no: [
      'example.com',
      '//example.com',
      'https:example.com',
      'https://',
      'https:///a',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://exa mple.com',
      'https://exa\nmple.com',
      'https:\\\\example.com',
      'https://example.com:99999',
    ],
  },
  'https-url': { yes: ['https://example.com/hook'], no: ['http://example.com/hook', 'wss://example.com'] },
  uuid: {
    yes: ['018f3f5e-8a5c-7cc0-9a86-0d6f2f1e7b11', '018F3F5E-8A5C-7CC0-9A86-0D6F2F1E7B11'],
    no: ['018f3f5e8a5c7cc09a860d6f2f1e7b11', '018f3f5e-8a5c-7cc0-9a86-0d6f2f1e7b1', 'x'],
  },
  timezone: {
    yes: ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'],
    no: ['+01:00', 'Mars/Olympus', '5', 'Europe'],
  },
  'date-time': {
    yes: [
      '2024-02-29',
      '2024-01-31T23:59:59Z',
      '2024-01-31 23:59',
      '2024-01-31T10:00:00.123456Z',
      '2024-01-31T10:00:00+05:30',
      '2024-01-31T10:00:00-0800',
      '2000-02-29T00:00:00Z',
    ],
    no: [
      '2023-02-29',
      '1900-02-29',
      '2024-02-30T10:00:00Z',
      '2024-04-31',
      '2024-00-10',
      '2024-13-01',
      '2024-01-00',
      '2024-01-32',
      '0000-01-01',
      '2024-01-01T24:00:00Z',
      '2024-01-01T10:60:00Z',
      '2024-01-01T10:00:60Z',
      '2024-01-01T10:00:00+15:00',
      '2024-01-01T10:00:00+01:60',
      '2024-1-1',
      '01/02/2024',
      'tomorrow',
      '2024-01-01T10:00:00Z; drop table',
    ],
  },
}

describe.each(Object.entries(samples))('%s', (name, { yes, no }) => {
  const { test: fits } = formats[name as FormatName]
  test.each(yes)('%j is one', (value) => expect(fits(value)).toBe(true))
  test.each(no)('%j is none', (value) => expect(fits(value)).toBe(false))
})
