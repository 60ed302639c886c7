import { parseArgs } from 'node:util'

/**
 * npm run bench [-- --only NAME] [--rounds N] [--seconds N] [--connections N] [--orders N] [--movements N] [--integrations N] [--rows N] [--large] [--profile] [--dry] [--check]
 * Exit code 1 if a target is missed. `--profile` draws where the time went, below `bench-profiles/` in the current folder.
 * `--check` keeps nothing and holds the run against what is kept: exit code 1 if something was lost beyond noise.
 */
export const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    /** Of the shop that is copied. */
    orders: { type: 'string', default: '10000' },
    /** Of the ledger of a shared stock. */
    movements: { type: 'string', default: '10000000' },
    /** Of the large world among whose tenants a small one is measured, and what they hold. */
    integrations: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '10000000' },
    /** Copy shops of 50,000 and 200,000 orders too, and compare one of a million, which takes minutes. */
    large: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    /** Measure and print, but leave the README as it is. */
    dry: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})

export const say = (text: string) => void process.stdout.write(`${text}\n`)
