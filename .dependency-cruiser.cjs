/** The import rules of ARCHITECTURE.md, executable. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** The folders of the domain, from the bottom. Those of one level do not know each other, and none knows a higher one. */
const domainLevels = [
  ['apps', 'audit', 'budgets', 'companies', 'events', 'logos', 'logs', 'mail', 'quotas', 'requests', 'v1-usage'],
  ['accounts', 'levels', 'operations', 'runs', 'saved-views', 'services', 'users', 'webhooks'],
  ['integrations', 'oauth'],
  ['agents', 'leavers', 'shop'],
  ['orders', 'products'],
  ['actions', 'descriptions', 'erasures', 'install', 'proxy', 'retention', 'shop-webhooks', 'uninstall'],
  ['inventory', 'schedules', 'shipments', 'stock'],
  ['flows', 'reads', 'sync'],
  ['inbound'],
  ['across', 'attention', 'backlogs', 'customers', 'passport'],
  ['alerts', 'live', 'overview'],
  ['rotate-keys', 'sealing'],
]
const domainLevelRules = domainLevels.map((folders, level) =>
  rule(
    `domain-level-${level}`,
    'A folder of the domain knows lower ones only: what has to happen further up is a fact.',
    { path: `^src/domain/(${folders.join('|')})/` },
    { path: `^src/domain/(${domainLevels.slice(level).flat().join('|')})/`, pathNot: '^src/domain/$1/' },
  ),
)

module.exports = {
  forbidden: [
    rule('no-cycles', 'Files that need each other are one file.', {}, { circular: true }),
    rule(
      'reachable',
      'A file that nothing leads to is forgotten: list it, or delete it.',
      // The worker's thread begins with a file of its own.
      { path: '^src/(main|compose/worker-thread/thread)[.]ts$' },
      {
        path: '^src/',
        pathNot: ['[.]test[.]ts$', '^src/cli/.*process[.]ts$', '^src/(main|compose/worker-thread/thread)[.]ts$'],
        reachable: false,
      },
    ),
    rule('lib-is-alone', 'lib knows nothing of us.', { path: '^src/lib/' }, { path: '^src/(?!lib/)' }),
    rule(
      'commerce-is-a-language',
      'commerce knows lib only.',
      { path: '^src/commerce/' },
      { path: '^src/(?!lib/|commerce/)' },
    ),
    rule(
      'runtime-knows-lib',
      'runtime runs the domain without knowing it.',
      { path: '^src/runtime/' },
      { path: '^src/(?!lib/|runtime/)' },
    ),
    rule(
      'domain-downwards',
      'The domain knows neither HTTP, nor connectors, nor who wires it.',
      { path: '^src/domain/' },
      { path: '^src/(api|connectors|cli|web|runtime/http)/|^src/(jobs|compose|main|config|keys)[.]ts$|^src/compose/' },
    ),
    rule(
      'domain-root',
      'The words all of the domain shares stand below its folders.',
      { path: '^src/domain/[^/]+[.]ts$', pathNot: '[.]test[.]ts$' },
      { path: '^src/domain/[^/]+/' },
    ),
    rule(
      'domain-folders-have-a-level',
      'Every folder of the domain is named in the list of levels.',
      { path: `^src/domain/(?!(${domainLevels.flat().join('|')})/)[^/]+/` },
      {},
    ),
    ...domainLevelRules,
    rule(
      'connectors-are-islands',
      'A connector knows lib, commerce and itself.',
      { path: '^src/connectors/([^/]+)/' },
      {
        path: '^src/',
        pathNot: ['^src/(lib|commerce)/', '^src/connectors/$1/', '^src/simulator/'],
      },
    ),
    rule(
      'sandbox-is-simulated',
      'The shop that lives in this process is the simulator’s; no other connector knows of it.',
      { path: '^src/connectors/', pathNot: '^src/connectors/sandbox/in-process/' },
      { path: '^src/simulator/' },
    ),
    rule(
      'simulator-is-an-outsider',
      'The simulator stands for platforms that know nothing of us.',
      { path: '^src/simulator/' },
      { path: '^src/(?!lib/|simulator/)|node_modules/(?!(graphql|fast-xml-parser)/)' },
    ),
    rule(
      'commands-load-late',
      'Whoever asks for help does not wait for the server: a command imports it when it runs.',
      { path: '^src/cli/', pathNot: '^src/cli/(start-(primary|process)[.]ts$|demo/)' },
      {
        path: '^src/(compose|jobs)[.]ts$|^src/(api|compose|connectors)/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    ),
    rule(
      'demo-is-wired',
      'Demos are known to those who wire, and to nobody else.',
      { path: '^src/(?!demo/|cli/|compose/|compose[.]ts$)' },
      { path: '^src/demo/' },
    ),
    rule(
      'api-above-domain',
      'The edge knows domain, commerce, lib, runtime/http and how lists are read.',
      { path: '^src/api/' },
      {
        path: '^src/(connectors|cli|simulator|runtime)/|^src/(jobs|compose|main|config|keys)[.]ts$|^src/compose/',
        pathNot: ['^src/runtime/http/', '^src/runtime/db/lists/(paginate|changes)[.]ts$'],
      },
    ),
    rule(
      'v2-never-v1',
      'Version 1.0 can be deleted as one folder.',
      { path: '^src/api/v2/' },
      { path: '^src/api/v1/' },
    ),
    rule(
      'fastify-owner',
      'One file knows Fastify.',
      { path: '^src/', pathNot: '^src/runtime/http/(server|openapi/scalar)[.]ts$' },
      {
        path: 'node_modules/(fastify|@fastify/(?!busboy))',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'kysely-owner',
      'SQL lives in stores.',
      { path: '^src/', pathNot: ['-store[.]ts$', '^src/runtime/(db|jobs)/', '[.]test[.]ts$'] },
      {
        path: 'node_modules/kysely',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'pg-boss-owner',
      'The queue is seen by runtime/jobs alone.',
      { path: '^src/', pathNot: '^src/runtime/jobs/' },
      { path: 'node_modules/pg-boss' },
    ),
    rule(
      'pg-owner',
      'Connections are made in runtime/db.',
      { path: '^src/', pathNot: ['^src/runtime/(db|jobs)/', '[.]test[.]ts$'] },
      {
        path: 'node_modules/pg/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'undici-owner',
      'Requests leave the machine through runtime/egress alone.',
      { path: '^src/', pathNot: ['^src/runtime/egress/', '^src/simulator/'] },
      { path: 'node_modules/undici/' },
    ),
    rule(
      'nodemailer-owner',
      'Mail leaves the machine through runtime/mail alone.',
      { path: '^src/', pathNot: '^src/runtime/mail/' },
      { path: 'node_modules/nodemailer/' },
    ),
    rule(
      'no-dev-dependencies',
      'What runs in production is a dependency.',
      { path: '^src/', pathNot: '[.]test[.]ts$' },
      { dependencyTypes: ['npm-dev'] },
    ),
    rule(
      'known-packages',
      'Every package is named in package.json.',
      { path: '^src/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['[.]test[.]ts$', '^test/'] },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
}
