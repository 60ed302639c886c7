import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '../support/find-program.ts'
import { readRendered } from './helm/render.ts'
import { environmentOf, readDockerfile } from './support/dockerfile.ts'

/** What the files in deploy/ set is what the program reads. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const known = new Set([
  ...(read('src/config.ts').match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b/g) ?? []),
  ...['DATABASE_URL_FILE', 'ENTREPOT_MASTER_KEYS_FILE'],
])
const compose = parse(read('deploy/compose.yaml'), { merge: true })
const units = ['entrepot.service', 'entrepot-worker@.service']

const named: Record<string, string[]> = {
  Dockerfile: readDockerfile(read('deploy/Dockerfile')).flatMap((stage) => Object.keys(environmentOf(stage))),
  compose: ['api', 'worker'].flatMap((name) => Object.keys(compose.services[name].environment)),
  chart: [...readRendered('everything').matchAll(/^ +- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name),
  units: units.flatMap((unit) =>
    [...read(`deploy/systemd/${unit}`).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((entry) => entry.split('=')[0] ?? ''),
    ),
  ),
}

test.each(Object.keys(named))('every setting of %s is one', (where) => {
  const names = named[where] ?? []
  expect(names.length).toBeGreaterThan(4)
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

describe('compose.yaml', () => {
  const services: Record<string, Record<string, unknown>> = compose.services

  test('names no image by its host, and none without a version but our own', () => {
    const images = Object.values(services).flatMap(({ image }) => (typeof image === 'string' ? [image] : []))
    expect(images.filter((image) => !/^(?:[a-z]+\/)?[a-z]+:[\w.-]*\d[\w.-]*$/.test(image))).toEqual([
      'entrepot',
      'entrepot',
    ])
  })

  test('has no key or password of its own: without them it does not start', () => {
    const { environment } = compose.services.api
    expect(environment.ENTREPOT_MASTER_KEYS).toMatch(/^\$\{ENTREPOT_MASTER_KEYS:\?.+\}$/)
    expect(environment.DATABASE_URL).toMatch(/\$\{POSTGRES_PASSWORD:\?.+\}@/)
    expect(compose.services.postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/)
    expect(compose.services.grafana.entrypoint.at(-1)).toContain('GF_SECURITY_ADMIN_PASSWORD:?')
  })

  test('has the service come as an ordinary role, which the database makes when it begins', () => {
    const [, user] = /:\/\/(\w+):/.exec(compose.services.api.environment.DATABASE_URL) ?? []
    for (const name of ['postgres', 'citus']) {
      const { environment, volumes } = compose.services[name]
      expect(environment.POSTGRES_USER).not.toBe(user)
      expect(volumes).toContain('./postgres/role.sh:/docker-entrypoint-initdb.d/90-role.sh:ro')
    }
    expect(read('deploy/postgres/role.sh')).toContain(`create role ${user} login`)
  })

  test('has the version of Citus that the guide says we have tried', () => {
    const [, tried] = /tried with Citus (\d+\.\d+) /.exec(read('docs/guides/operate.md')) ?? []
    expect(compose.services.citus.image.split(':')[1].split('.').slice(0, 2).join('.')).toBe(tried)
  })

  test('opens ports on this machine only', () => {
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports)
    expect(ports.filter((port) => !String(port).startsWith('127.0.0.1:'))).toEqual([])
  })

  test('starts nothing by default but the service and its database', () => {
    const always = Object.entries(services).flatMap(([name, { profiles }]) => (profiles ? [] : [name]))
    expect(always).toEqual(['api', 'worker', 'postgres'])
    const profiles = Object.values(services).flatMap(({ profiles = [] }) => profiles)
    expect(profiles).toEqual(['citus', 'pgbouncer', 'monitoring', 'monitoring'])
  })

  test('runs the service on a read-only root, without capabilities', () => {
    for (const name of ['api', 'worker']) {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true })
    }
  })
})

const analyse = findProgram('systemd-analyze')

test.skipIf(analyse === null).each(units)('systemd understands all of %s', async (unit) => {
  const folder = await mkdtemp(join(tmpdir(), 'entrepot-units-'))
  try {
    // An instance has a number, and the program has to be there.
    const file = join(folder, unit.replace('@', '@1'))
    const text = read(`deploy/systemd/${unit}`).replace('/usr/bin/node', process.execPath)
    await writeFile(file, text)
    const { stderr } = spawnSync(analyse ?? '', ['verify', '--man=no', file], { encoding: 'utf8' })
    expect(stderr).toBe('')
    await writeFile(file, text.replace('UMask=', 'Umask='))
    expect(spawnSync(analyse ?? '', ['verify', '--man=no', file], { encoding: 'utf8' }).stderr).toContain('Umask')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('both units are hardened alike', () => {
  const [api, worker] = units.map((unit) =>
    read(`deploy/systemd/${unit}`)
      .split('\n')
      .filter((line) => /^(?:Protect|Private|Restrict|Lock|System|NoNew|Capability|UMask|Dynamic|LoadC)/.test(line)),
  )
  expect(api).toEqual(worker)
  expect(api?.length).toBeGreaterThan(20)
})
