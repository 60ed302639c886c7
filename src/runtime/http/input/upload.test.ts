import { describe, expect, test } from 'vitest'
import { Fault } from '../../../lib/fault.ts'
import { readUpload } from './upload.ts'

const type = 'multipart/form-data; boundary=XX'
const part = (disposition: string, content: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
const read = (body: string, contentType: string | undefined = type) =>
  readUpload(contentType, Buffer.from(body, 'latin1'))
const problem = (body: string, contentType?: string) => {
  try {
    read(body, contentType)
  } catch (error) {
    return error instanceof Fault ? error.kind : error
  }
  return 'none'
}

describe('what is found', () => {
  test('the file of the field "logo"', () => {
    const body = `${part('name="logo"; filename="a.png"', 'bytes\r\n\x00more', 'Content-Type: image/png\r\n')}--XX--\r\n`
    expect(read(body)).toEqual({ filename: 'a.png', bytes: Buffer.from('bytes\r\n\x00more', 'latin1') })
  })

  test('among other fields, after a preamble, with a quoted boundary', () => {
    const body = `hello\r\n${part('name="x"', '1')}${part('name=logo; filename=a', 'b')}${part('name="y"', '2')}--XX--`
    expect(read(body, 'Multipart/Form-Data; charset=utf-8; boundary="XX"')?.bytes.toString()).toBe('b')
  })

  test('a delimiter that is longer than ours belongs to the content', () => {
    expect(read(`${part('name="logo"; filename="a"', 'x\r\n-- XX')}--XX--`)?.bytes.toString()).toBe('x\r\n-- XX')
  })

  test('nothing: another type of body, another field, a file that was left empty', () => {
    expect(read('{"logo":{"filepath":"/etc/passwd"}}', 'application/json')).toBeNull()
    expect(readUpload(undefined, null)).toBeNull()
    expect(read(`${part('name="file"; filename="a"', 'b')}--XX--`)).toBeNull()
    expect(read(`${part('name="logo"; filename=""', '')}--XX--`)).toBeNull()
    expect(read('--XX--')).toBeNull()
  })

  test('a file without content is still a file', () => {
    expect(read(`${part('name="logo"; filename="a.png"', '')}--XX--`)?.bytes.length).toBe(0)
  })
})

describe('what is malformed', () => {
  test.each([
    ['no boundary', part('name="logo"; filename="a"', 'b'), 'multipart/form-data'],
    ['no content at all', '', undefined],
    ['no end', part('name="logo"; filename="a"', 'b'), undefined],
    ['no line end behind the delimiter', '--XXevil\r\n\r\n\r\n--XX--', undefined],
    ['no end of the headers', '--XX\r\nContent-Disposition: form-data; name="logo"\r\n--XX--', undefined],
    ['headers without an end in sight', part(`name="${'x'.repeat(9000)}"`, 'b'), undefined],
    ['the file twice', `${part('name="logo"; filename="a"', 'b').repeat(2)}--XX--`, undefined],
    ['too many parts', `${part('name="x"', '').repeat(30)}--XX--`, undefined],
  ])('%s', (_name, body, contentType) => {
    expect(problem(body, contentType)).toBe('malformed')
  })
})
