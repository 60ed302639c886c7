import { remoteCommand } from './connect.ts'
import { columns, look, moment, plain } from './look.ts'

export const shopsCommand = remoteCommand({
  name: 'shops',
  summary: 'List the shops of an app, and how they are',
  options: {
    status: { type: 'string', value: 'STATUS', description: 'Only those that are ACTIVE, ERROR …' },
    limit: { type: 'string', value: 'N', description: 'At most so many; 100' },
  },
  async run({ status, limit = '100' }, output, _given, connect) {
    const client = await (await connect()).app()
    const query = { sort: 'name', ...(status === undefined ? {} : { status: status.toUpperCase() }) }
    const shops = await client.integrations.list(query as never).take(Math.max(1, Number(limit) || 100))
    if (output.json) return output.result({ shops }, '')
    const rows = shops.map((shop) => [
      String(shop.id),
      plain(shop.name),
      shop.type,
      plain(shop.shop),
      shop.status,
      shop.last_run_at === null ? 'never read' : `read ${moment(shop.last_run_at)}`,
    ])
    if (rows.length === 0) return output.say('No shops found. Connect one in the console: entrepot open connect')
    output.say(`${look('bold', columns([['ID', 'NAME', 'TYPE', 'SHOP', 'STATUS', ''], ...rows]).split('\n')[0] ?? '')}`)
    const [, ...lines] = columns([['ID', 'NAME', 'TYPE', 'SHOP', 'STATUS', ''], ...rows]).split('\n')
    output.say(lines.map((line, n) => (shops[n]?.status === 'ERROR' ? look('red', line) : line)).join('\n'))
  },
})
