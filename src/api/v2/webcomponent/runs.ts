import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { integrationOfAccountInPath } from '../in-path.ts'
import { findRunOf, oneRun, runList } from '../includes/of-runs.ts'

const list = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: integrationOfAccountInPath,
  ...runList,
})

const get = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: async (input) => await findRunOf(input.context, await integrationOfAccountInPath(input), input.params.run),
  ...oneRun,
})

export const webcomponentRuns = [list, get]
