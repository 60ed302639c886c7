import { expect, test } from 'vitest'
import { signedHeaders } from './aws-signature.ts'

// The keys, moment and answers of Amazon's own test suite for the signature.
const vanilla = {
  url: 'https://example.amazonaws.com/',
  body: '',
  headers: {},
  region: 'us-east-1',
  service: 'service',
  keys: { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  seconds: Date.UTC(2015, 7, 30, 12, 36) / 1000,
} as const

test.each([
  ['GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['POST', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
] as const)('%s is signed as Amazon signs it', (method, signature) => {
  expect(signedHeaders({ ...vanilla, method })).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  })
})

test('another body, key or header has another signature', () => {
  const signatures = [{}, { body: '{}' }, { keys: { id: 'A', secret: 'b' } }, { headers: { 'x-amz-target': 'T' } }].map(
    (other) => signedHeaders({ ...vanilla, method: 'POST', ...other })['authorization'],
  )
  expect(new Set(signatures).size).toBe(4)
})
