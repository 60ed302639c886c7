import { describe, expect, test } from 'vitest'
import { parseDatabaseAddress } from './database-address.ts'

describe('the address of a database', () => {
  test('names one server as ever', () => {
    expect(parseDatabaseAddress('postgres://u:p@db.example.com:5433/name?sslmode=require')).toEqual({
      urls: ['postgres://u:p@db.example.com:5433/name?sslmode=require'],
      needsWritable: false,
    })
  })

  test('names several, of which the one is wanted that takes writes', () => {
    expect(parseDatabaseAddress('postgresql://u:p%40@a:5432,[::1]:5433,c/name?sslmode=require')).toEqual({
      urls: [
        'postgresql://u:p%40@a:5432/name?sslmode=require',
        'postgresql://u:p%40@[::1]:5433/name?sslmode=require',
        'postgresql://u:p%40@c/name?sslmode=require',
      ],
      needsWritable: true,
    })
  })

  test.each(['read-write', 'primary'])('of one server that has to take writes (%s)', (wanted) => {
    expect(parseDatabaseAddress(`postgres://u@a/name?target_session_attrs=${wanted}`)).toEqual({
      urls: ['postgres://u@a/name'],
      needsWritable: true,
    })
  })

  test('leads to a socket on this machine', () => {
    const url = 'postgres:///name?host=/var/run/postgresql'
    expect(parseDatabaseAddress(url)).toEqual({ urls: [url], needsWritable: false })
  })

  test.each([
    'mysql://a/b',
    'postgres://a:port/b',
    'postgres://a,/b',
    'postgres://a/b?target_session_attrs=standby',
    'nonsense',
  ])('is refused where it is none: %s', (text) => {
    expect(parseDatabaseAddress(text)).toBe(null)
  })
})
