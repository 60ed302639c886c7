import { describe, expect, test } from 'vitest'
import { Fault } from '../../../lib/fault.ts'
import { readUpload } from './upload.ts'

const type = 'multipart/form-data; boundary=XX'
const part = (disposition: string, content: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
const read = (body: string, contentType: string | undefined = type) =>
  readUpload(contentType, Buffer.from(body, 'latin1'))
const problem = async (body: string, contentType?: string) => {
  try {
    await read(body, contentType)
  } catch (error) {
    return error instanceof Fault ? `${error.kind}: ${error.message}` : error
  }
  return 'none'
}

describe('what is found', () => {
  test('the file of the field "logo"', async () => {
    const body = `${part('name="logo"; filename="a.png"', 'bytes\r\n\x00more', 'Content-Type: image/png\r\n')}--XX--\r\n`
    expect(await read(body)).toEqual({ filename: 'a.png', bytes: Buffer.from('bytes\r\n\x00more', 'latin1') })
  })

  test('among other fields, after a preamble, with a quoted boundary', async () => {
    const body = `hello\r\n${part('name="x"', '1')}${part('name=logo; filename=a', 'b')}${part('name="y"', '2')}--XX--`
    expect((await read(body, 'Multipart/Form-Data; charset=utf-8; boundary="XX"'))?.bytes.toString()).toBe('b')
  })

  test('a delimiter that is longer than ours belongs to the content', async () => {
    expect((await read(`${part('name="logo"; filename="a"', 'x\r\n-- XX')}--XX--`))?.bytes.toString()).toBe(
      'x\r\n-- XX',
    )
  })

  test('nothing: another type of body, another field, a file that was left empty', async () => {
    expect(await read('{"logo":{"filepath":"/etc/passwd"}}', 'application/json')).toBeNull()
    expect(await readUpload(undefined, null)).toBeNull()
    expect(await read(`${part('name="file"; filename="a"', 'b')}--XX--`)).toBeNull()
    expect(await read(`${part('name="logo"; filename=""', '')}--XX--`)).toBeNull()
    expect(await read('--XX--')).toBeNull()
  })

  test('a file without content is still a file', async () => {
    expect((await read(`${part('name="logo"; filename="a.png"', '')}--XX--`))?.bytes.length).toBe(0)
  })

  test('a file without a name, and one whose name is a path in another script', async () => {
    expect(await read(`${part('name="logo"', 'b')}--XX--`)).toEqual({ filename: '', bytes: Buffer.from('b') })
    const name = Buffer.from('../größe.png').toString('latin1')
    expect((await read(`${part(`name="logo"; filename="${name}"`, 'b')}--XX--`))?.filename).toBe('../größe.png')
  })

  test('five megabytes, every byte of them', async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'entrepot\r\n--X')
    const found = await read(`${part('name="logo"; filename="a"', bytes.toString('latin1'))}--XX--`)
    expect(found?.bytes.equals(bytes)).toBe(true)
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
    ['no headers at all', '--XX\r\n\r\nb\r\n--XX--', undefined],
    ['a part of no form', '--XX\r\nContent-Disposition: attachment\r\n\r\nb\r\n--XX--', undefined],
    ['the file twice', `${part('name="logo"; filename="a"', 'b').repeat(2)}--XX--`, undefined],
    ['too many parts', `${part('name="x"', '').repeat(30)}--XX--`, undefined],
  ])('%s', async (name, body, contentType) => {
    const message = name === 'the file twice' ? 'The logo field must be sent once.' : 'Malformed multipart body.'
    expect(await problem(body, contentType)).toBe(`malformed: ${message}`)
  })
})
