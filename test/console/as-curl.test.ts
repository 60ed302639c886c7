import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { asCurl } from '../../web/console/pages/developers/as-curl.ts'

const plain = { headers: { content_type: null, idempotency_key: false } }

/** What a shell hands to curl, one argument a line. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\n'`)], { env: { TOKEN: 't-1' }, encoding: 'utf8' })
    .trimEnd()
    .split('\n')

test('a read is its address and the token of whoever runs it', () => {
  const command = asCurl({ ...plain, method: 'GET', path: '/api/2.0/app/orders', query: 'page=2' }, 'https://a.test')
  expect(command).toContain('$TOKEN')
  expect(argumentsOf(command)).toEqual([
    ...[
      'https://a.test/api/2.0/app/orders?page=2',
      '-H',
      'Authorization: Bearer t-1',
      '-H',
      'Accept: application/json',
    ],
  ])
})

test('a body reaches the shell as it is, whatever is in it', () => {
  const body = { name: `it's $HOME \`id\` "x" \\` }
  const call = { ...plain, method: 'POST', path: '/a', query: '', request_body: body }
  const given = argumentsOf(asCurl(call, 'https://a.test'))
  expect(JSON.parse(given.at(-1) ?? '')).toEqual(body)
  expect(given.slice(0, 2)).toEqual(['-X', 'POST'])
})
