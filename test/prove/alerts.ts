import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { until } from './support/until.ts'

/** Somebody hears of what is wrong, soon and once. */
export const alerts = proof({
  name: 'alerts',
  asked:
    'from the cause to the mail server ≤ 30 s; 500 causes at once are one letter; workers killed while the mail server holds the letter: each group accepted once',
  full: { shops: 500, times: 5, kills: 5, allowedSeconds: 30 },
  quick: { shops: 20, times: 1, kills: 1, allowedSeconds: 120 },
  async run({ shops: count, times, kills, allowedSeconds }, lab) {
    const mail = await startMailServer()
    try {
      return await withFleet(
        await lab.database('migrated'),
        async (fleet) => {
          const merchant = await fleet.makeMerchant()
          await listenByMail(fleet, merchant)
          const shops = await makeShops(fleet, merchant, count)
          let worker = await fleet.startWorker()
          const seconds: number[] = []
          while (seconds.length < times) {
            const before = lettersOf(mail, 'opened').length
            const brokenAt = Date.now()
            await setStatus(fleet, shops, 'ERROR')
            await until('a letter arrives', async () => lettersOf(mail, 'opened').length > before, { seconds: 120 })
            seconds.push((Date.now() - brokenAt) / 1000)
            await repaired(fleet, mail, shops)
            lab.progress('times', seconds.length, times)
          }
          const grouped = lettersOf(mail, 'opened').filter(({ source }) => source.includes(`] ${count} alerts`)).length
          for (let killed = 0; killed < kills; killed++) {
            const before = lettersOf(mail, 'opened').length
            mail.stalls = true
            const stalled = mail.stalled
            await setStatus(fleet, shops.slice(0, 1), 'ERROR')
            await until('the mail server holds a letter', async () => mail.stalled > stalled, { seconds: 120 })
            await worker.kill()
            mail.stalls = false
            worker = await fleet.startWorker()
            await until('it is sent again', async () => lettersOf(mail, 'opened').length > before, { seconds: 180 })
            await repaired(fleet, mail, shops.slice(0, 1))
            lab.progress('kills', killed + 1, kills)
          }
          const opened = lettersOf(mail, 'opened').length
          const ids = new Set(mail.received.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]))
          const worst = Math.max(...seconds)
          return {
            measured: `${worst.toFixed(1)} s at worst of ${times}; ${count} causes were one letter ${grouped} of ${times} times; ${opened} letters for ${times + kills} groups, ${mail.received.length - ids.size} twice`,
            pass:
              worst <= allowedSeconds &&
              grouped === times &&
              opened === times + kills &&
              ids.size === mail.received.length,
          }
        },
        { SMTP_URL: mail.url, MAIL_FROM: 'entrepot@example.com' },
      )
    } finally {
      await mail.close()
    }
  },
})

const lettersOf = ({ received }: MailServer, what: 'opened' | 'resolved') =>
  received.filter(({ source }) => /^Subject: .*resolved/im.test(source) === (what === 'resolved'))

async function listenByMail(fleet: Fleet, { appId, email, userId, userToken }: Merchant): Promise<void> {
  await fleet.query('update users set email_verified_at = now() where id = $1', [userId])
  const { status } = await fleet.http.call(`${fleet.api.url}/api/2.0/user/apps/${appId}/alert-channels`, {
    method: 'POST',
    token: userToken,
    body: { type: 'email', name: 'Proof', address: email },
  })
  if (status !== 201) throw new Error(`The channel was refused: ${status}`)
}

/** Nobody asks them for orders: there are no shops behind them, and what that would be alerts of their own. */
async function makeShops(fleet: Fleet, { appId }: Merchant, count: number): Promise<number[]> {
  const rows = await fleet.query<{ id: string }>(
    `with made as (
      insert into integrations (app_id, service_id, name, type, shop, status, read_every_minutes, next_read_at)
      select $1, s.id, 'Shop ' || n, 'sandbox', 'shop-' || n || '.example.com', 'ACTIVE', 0, null
      from generate_series(1, $2::int) n, services s where s.type = 'sandbox' and s.user_id is null
      returning id, app_id
    ), anchored as (insert into integration_state (integration_id, app_id) select id, app_id from made)
    select id from made`,
    [appId, count],
  )
  return rows.map(({ id }) => Number(id))
}

const setStatus = (fleet: Fleet, shops: readonly number[], status: 'ACTIVE' | 'ERROR') =>
  fleet.query('update integrations set status = $2, updated_at = now() where id = any($1::bigint[])', [shops, status])

/** They work again, and somebody has heard of it. */
async function repaired(fleet: Fleet, mail: MailServer, shops: readonly number[]): Promise<void> {
  const before = lettersOf(mail, 'resolved').length
  await setStatus(fleet, shops, 'ACTIVE')
  await until('it is said that it is over', async () => lettersOf(mail, 'resolved').length > before, { seconds: 120 })
}
