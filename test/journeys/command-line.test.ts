import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands, commandNames } from '../../src/cli/index.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { runEntrepot } from '../support/process.ts'

const commands = await allCommands()

let database: TestDatabase
let env: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  env = {
    DATABASE_URL: database.url,
    ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'warn',
  }
})
afterAll(() => database.drop())

const json = (text: string) => JSON.parse(text) as Record<string, unknown>

describe('entrepot', () => {
  test('without a command shows what there is', async () => {
    const { code, stdout } = await runEntrepot([])
    expect(code).toBe(0)
    for (const { name } of commands) expect(stdout).toContain(name)
  })

  test('an unknown command is refused with the list', async () => {
    const { code, stderr } = await runEntrepot(['nonsense'])
    expect(code).toBe(2)
    expect(stderr).toContain('There is no command "nonsense"')
  })

  test('an unknown option is refused in words', async () => {
    const { code, stderr } = await runEntrepot(['migrate', '--nonsense'])
    expect(code).toBe(1)
    expect(stderr).toContain('--nonsense')
    expect(stderr).not.toContain('at ')
  })

  test('a wrong setting stops the start with one sentence', async () => {
    const { code, stderr } = await runEntrepot(['start'], { env: { PORT: 'many' } })
    expect(code).toBe(1)
    expect(stderr.trim()).toBe('PORT must be a whole number from 0 to 65535, not "many".')
  })

  test.each(['start', 'doctor'])('a proxy that is none is named by %s before anything is done', async (command) => {
    const { code, stdout, stderr } = await runEntrepot([command], { env: { ...env, TRUST_PROXY: 'abc' } })
    expect(code).toBe(1)
    expect(`${stdout}${stderr}`).toContain('TRUST_PROXY must be')
  })

  test('a port that is taken is named, with what to set', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await runEntrepot(['start'], { env: { ...env, PORT: String(port), HOST: '127.0.0.1' } })
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`)])
    expect(stderr).toContain('set PORT to another number')
    other.close()
  })

  test('DATABASE_URL without master keys is refused', async () => {
    const { code, stderr } = await runEntrepot(['migrate'], { env: { DATABASE_URL: database.url } })
    expect(code).toBe(1)
    expect(stderr).toContain('ENTREPOT_MASTER_KEYS is required')
  })
})

describe('every command', () => {
  test('each command is found by its own name', () => expect(commands.map(({ name }) => name)).toEqual(commandNames))

  test.each(commands.map(({ name }) => name))('%s explains itself with --help', async (name) => {
    const { code, stdout } = await runEntrepot([name, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: entrepot ${name}`)
    expect(stdout).toContain('--json')
  })
})

describe('create-user and create-client', () => {
  test('make a login that the command line prints once', async () => {
    const made = await runEntrepot(['create-user', '--email', 'ada@example.com', '--permissions', 'all', '--json'], {
      env,
    })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const user = json(made.stdout)
    expect(user).toMatchObject({ email: 'ada@example.com', id: expect.any(Number), password: expect.any(String) })
    const again = await runEntrepot(['create-user', '--email', 'ADA@example.com', '--json'], { env })
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('The email has already been taken.')
  })

  test('make no link for a new password where several have the address, until one is named', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<{ id: string }>(`
      with company as (insert into companies (name) values ('Analytical Engines') returning id)
      insert into users (company_id, name, email, email_folded)
      select id, 'Twin', 'twin@example.com', 'twin@example.com' from company
      union all select null, 'Twin', 'twin@example.com', 'twin@example.com' returning id`)
    await client.end()
    const link = (...more: string[]) => runEntrepot(['password-link', '--email', 'twin@example.com', ...more], { env })
    const refused = await link()
    expect(refused.code).toBe(1)
    for (const { id } of rows) expect(refused.stderr).toContain(`--user ${id} (`)
    expect(refused.stderr).toContain('(Analytical Engines)')
    expect((await link('--user', rows[0]?.id ?? '')).stdout).toContain('/console/new-password#')
    expect((await link('--user', '999999')).stderr).toContain('There is no user "twin@example.com" with the id 999999.')
  })

  test('an unknown permission is refused', async () => {
    const { code, stderr } = await runEntrepot(['create-user', '--email', 'b@example.com', '--permissions', 'fly'], {
      env,
    })
    expect(code).toBe(1)
    expect(stderr).toContain('The selected permissions.0 is invalid.')
  })

  test('a client shows its secret', async () => {
    const { stdout } = await runEntrepot(['create-client', '--grant', 'password', '--json'], { env })
    expect(json(stdout)).toMatchObject({
      secret: expect.stringMatching(/^\w{43}$/),
      grant_types: ['password', 'refresh_token'],
    })
  })

  test('an unknown grant is refused', async () => {
    const { code, stderr } = await runEntrepot(['create-client', '--grant', 'magic'], { env })
    expect(code).toBe(1)
    expect(stderr).toContain('--grant must be password or client_credentials')
  })
})

describe('openapi', () => {
  test('prints the document', async () => {
    const { stdout } = await runEntrepot(['openapi', '--json'])
    expect(json(stdout)).toMatchObject({ openapi: '3.1.0', paths: expect.any(Object) })
  })
})

describe('doctor', () => {
  test('finds nothing wrong with a healthy set-up', async () => {
    const { stdout } = await runEntrepot(['doctor', '--json'], { env: { ...env, PORT: '1' } })
    const findings = json(stdout)['findings'] as { level: string; subject: string; words: string }[]
    // The test server skips the waiting for the disk, and the doctor sees that.
    expect(findings.filter(({ level }) => level === 'problem').map(({ subject }) => subject)).toEqual(['durability'])
    expect(findings.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['database', 'schema', 'master keys', 'clock']),
    )
  })

  test('says that a shop refuses us and a webhook is dead', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await client.query(`with app as (insert into apps (name) values ('Troubled') returning id),
        shop as (insert into integrations (app_id, service_id, name, type, shop, status, status_reason)
          select id, (select min(id) from services), 'Refused', 'sandbox', 'refused.example.com', 'ERROR', 'credentials_rejected' from app)
        insert into webhook_subscriptions (app_id, url, secret, key_id, events, disabled_at, disabled_reason)
        select id, 'https://gone.example.com', '', 'k', '{order.created}', now(), 'gone' from app`)
      const { stdout } = await runEntrepot(['doctor'], { env: { ...env, PORT: '1' } })
      expect(stdout).toContain('1 shop rejects our credentials')
      expect(stdout).toContain('1 webhook is disabled')
    } finally {
      await client.query(`delete from apps where name = 'Troubled'`).catch(() => undefined)
      await client.end()
    }
  })

  test('says of several servers that no other has to have what is acknowledged', async () => {
    const twice = database.url.replace(/@([^/]+)/, '@127.0.0.1:1,$1')
    const { stdout } = await runEntrepot(['doctor'], { env: { ...env, PORT: '1', DATABASE_URL: twice } })
    expect(stdout).toContain('standbys: none has to have what is committed')
  })

  test('says that the database is set for disks that turn', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const set = (to: string) =>
      client.query(`do $$ begin execute format('alter database %I ${to}', current_database()); end $$`)
    const planning = async () =>
      (await runEntrepot(['doctor'], { env: { ...env, PORT: '1' } })).stdout
        .split('\n')
        .find((line) => /planning/.test(line))
    try {
      await set('set random_page_cost = 1.1')
      expect(await planning()).toBe('ok    planning: expects a disk that finds any page quickly')
      await set('set random_page_cost = 4')
      expect(await planning()).toContain('warn  planning: random_page_cost is 4')
    } finally {
      await set('reset random_page_cost')
      await client.end()
    }
  })

  test('says that the database cannot be reached', async () => {
    const { code, stdout } = await runEntrepot(['doctor'], {
      env: { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    })
    expect(code).toBe(1)
    expect(stdout).toContain('FAIL  database: cannot be reached')
  })

  test('says that stored secrets do not open with these keys', async () => {
    await runEntrepot(['rotate-keys', '--signing'], { env })
    const other = { ...env, ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}` }
    const { stdout } = await runEntrepot(['doctor'], { env: other })
    expect(stdout).toContain('FAIL  master keys: stored secrets do not open')
  })
})
