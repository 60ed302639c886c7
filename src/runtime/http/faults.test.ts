import { describe, expect, test } from 'vitest'
import {
  Fault,
  forbidden,
  invalid,
  malformed,
  notFound,
  tooLarge,
  tooMany,
  unauthenticated,
  unavailable,
} from '../../lib/fault.ts'
import { answerFault } from './faults.ts'

const statusOf = (fault: Fault) => answerFault(fault).status

describe('a fault is answered with', () => {
  test.each([
    [malformed('Odd.'), 400],
    [unauthenticated(), 401],
    [forbidden(), 403],
    [notFound(), 404],
    [new Fault('conflict', 'Busy.'), 409],
    [tooLarge(), 413],
    [invalid({ name: ['No.'] }), 422],
    [new Fault('upstream_refused', 'The shop says no.'), 422],
    [tooMany(3), 429],
    [unavailable(), 503],
    [new Fault('upstream_retryable', 'The shop is away.'), 503],
    [new Fault('oauth', 'No.', { oauth: { status: 401, error: 'invalid_client' } }), 401],
    [new Fault('oauth', 'No.'), 400],
  ])('%o: %i', (fault, status) => {
    expect(statusOf(fault)).toBe(status)
    expect(answerFault(fault).body).toMatchObject({ message: fault.message })
  })

  test('what is wrong with which field', () => {
    const errors = { a: ['One.', 'Two.'], b: ['Three.'] }
    expect(answerFault(invalid(errors)).body).toEqual({ message: 'One. (and 2 more errors)', errors })
    expect(invalid({ a: ['One.', 'Two.'] }).message).toBe('One. (and 1 more error)')
    expect(invalid({ a: ['One.'] }).message).toBe('One.')
    expect(invalid({}).message).toBe('The given data was invalid.')
  })

  test('until when, where the pause is longer than the window of a minute', () => {
    const { headers } = answerFault(tooMany(575))
    expect(headers['retry-after']).toBe('575')
    expect(Math.abs(Number(headers['x-ratelimit-reset']) - Date.now() / 1000 - 575)).toBeLessThan(5)
    expect(answerFault(tooMany(30)).headers['x-ratelimit-reset']).toBeUndefined()
  })

  test('how long to wait, also if that is no time at all', () => {
    const waits = (retryAfterSeconds?: number) =>
      answerFault(new Fault('unavailable', 'x', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })).headers
    expect(waits(0)).toEqual({ 'retry-after': '0' })
    expect(waits(7)).toEqual({ 'retry-after': '7' })
    expect(waits()).toEqual({})
    expect([tooMany(0.2), tooMany(-5), tooMany(2.1)].map((fault) => fault.retryAfterSeconds)).toEqual([1, 1, 3])
    expect(unavailable().retryAfterSeconds).toBe(1)
  })

  test('how to come back from a 401', () => {
    const challenge = (fault: Fault, authorization?: string) =>
      answerFault(fault, { authorization }).headers['www-authenticate']
    const client = new Fault('oauth', 'No.', { oauth: { status: 401, error: 'invalid_client' } })
    expect(challenge(unauthenticated())).toBe('Bearer')
    expect(challenge(unauthenticated(), ' bearer x')).toBe('Bearer error="invalid_token"')
    expect(challenge(unauthenticated(), 'Bearers x')).toBe('Bearer')
    expect(challenge(client)).toBeUndefined()
    expect(challenge(client, 'Basic x')).toBe('Basic realm="OAuth"')
    expect(challenge(client, 'Bearer x')).toBe('Bearer realm="OAuth"')
    expect(challenge(new Fault('oauth', 'No.', { oauth: { status: 400, error: 'x' } }), 'Basic x')).toBeUndefined()
  })

  test('the form that OAuth has for it', () => {
    const oauth = { status: 400, error: 'invalid_scope', hint: 'Check the scope.' } as const
    expect(answerFault(new Fault('oauth', 'The scope is wrong.', { oauth }))).toEqual({
      status: 400,
      body: {
        error: 'invalid_scope',
        error_description: 'The scope is wrong.',
        hint: 'Check the scope.',
        message: 'The scope is wrong.',
      },
      headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    })
  })
})
