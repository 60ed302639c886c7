import { remoteCommand } from '../remote/connect.ts'
import { failure } from '../remote/failure.ts'
import { columns, moment, plain } from '../remote/look.ts'

/** Versions are asked of the instance that somebody is signed in to, as a person would in the console. */
export const versionsCommand = remoteCommand({
  name: 'service versions',
  summary:
    'List what was published of a service of your own; compare a version with the present one, or publish it again',
  arguments: [{ name: 'SERVICE', description: 'Its id or type' }],
  options: {
    compare: { type: 'string', value: 'N', description: 'Show how version N differs from what is published' },
    restore: { type: 'string', value: 'N', description: 'Publish version N again' },
  },
  async run({ compare, restore }, output, [service], connect) {
    if (service === undefined) throw failure('invalid', 'Say of which service: entrepot service versions SERVICE.')
    if (compare !== undefined && restore !== undefined)
      throw failure('invalid', 'Say --compare or --restore, not both.')
    const { user } = await connect()
    const number = compare ?? restore
    if (number === undefined) {
      const { data } = await user.call('get', '/api/2.0/user/services/{ownService}/versions', {
        path: { ownService: service },
        query: { per_page: 100 },
      })
      const rows = data.map((one) => [
        String(one.number),
        moment(one.published_at),
        plain(one.published_by?.name ?? 'unknown'),
        [one.present ? 'published' : '', one.restored_from === null ? '' : `as version ${one.restored_from}`]
          .filter(Boolean)
          .join(', '),
      ])
      if (rows.length === 0) return output.result(data, 'Nothing of it was published yet.')
      return output.result(data, columns([['VERSION', 'PUBLISHED', 'BY', ''], ...rows]))
    }
    if (!/^[1-9]\d{0,8}$/.test(number)) throw failure('invalid', 'A version is a whole number from 1 on.')
    const path = { ownService: service, version: number }
    if (restore !== undefined) {
      const { data } = await user.call('post', '/api/2.0/user/services/{ownService}/versions/{version}/restore', {
        path,
      })
      return output.result(data, `Version ${number} is published again, as version ${data.number}.`)
    }
    const { data } = await user.call('get', '/api/2.0/user/services/{ownService}/versions/{version}', { path })
    const lines = data.differences.map(
      ({ at, before, after }) => `${at}: ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`,
    )
    output.result(data, lines.length === 0 ? 'Nothing differs from what is published.' : lines.join('\n'))
  },
})
