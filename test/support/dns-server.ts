import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** What the server says about a name; null says nothing at all, [] that there is no such address. */
export type DnsAnswers = (name: string, kind: 4 | 6 | 'txt') => readonly (string | { alias: string })[] | null

/** A name server on the loopback interface that tells whatever a test wants. */
export async function startDnsServer(answers: DnsAnswers) {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (question, from) => {
    asked++
    const { name, end } = readName(question)
    const type = question.readUInt16BE(end)
    const kind = type === 16 ? 'txt' : type === 28 ? 6 : 4
    const records = answers(name, kind)
    if (records === null) return
    const head = Buffer.from([question[0] ?? 0, question[1] ?? 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    let owner = name
    const body = records.map((record) => {
      const alias = typeof record === 'string' ? null : record.alias
      const bytesOf = kind === 'txt' ? textBytes : addressBytes
      const data = typeof record === 'string' ? bytesOf(record) : nameBytes(record.alias)
      const fixed = Buffer.alloc(10)
      fixed.writeUInt16BE(alias !== null ? 5 : type, 0)
      fixed.writeUInt16BE(1, 2)
      fixed.writeUInt16BE(data.length, 8)
      const written = Buffer.concat([nameBytes(owner), fixed, data])
      owner = alias ?? owner
      return written
    })
    socket.send(Buffer.concat([head, question.subarray(12, end + 4), ...body]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    close: () => socket.close(),
  }
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

const nameBytes = (name: string) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)])

const textBytes = (text: string) => Buffer.from([text.length, ...Buffer.from(text)])

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const zeros = Array<string>(8 - groups(left).length - groups(right).length).fill('0')
  return Buffer.from(
    [...groups(left), ...zeros, ...groups(right)].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  )
}
