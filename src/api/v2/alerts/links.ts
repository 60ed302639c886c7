import { explainLink, followLink } from '../../../domain/alerts/sending/follow-link.ts'
import { Fault } from '../../../lib/fault.ts'
import { type Answer, answer } from '../../../runtime/http/endpoint.ts'
import { element, escaped, page } from '../../arrival/arrival-page.ts'
import { sayOnPage } from '../../arrival/page-sentences.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'

/** Where links in letters and chats about alerts lead. Programs open links by themselves: only the button does anything. */

const shared = {
  group: groups.alerts,
  path: '/links/{link}',
  extension: true,
  countsRefusals: true,
  openBecause: 'Opened by a link that was sealed here and sent to somebody; it does that one thing.',
  returns: answer(),
} as const

const show = endpoint({
  ...shared,
  method: 'GET',
  summary: 'Say what a link of an alert does',
  handle: ({ context, params: { link } }) =>
    explainLink(context, link).then(
      ({ title, about, button }) =>
        page(200, {
          ...{ title, hasForm: true },
          content: `${element('p', about)}
<form method="post" action="/api/2.0/alerts/links/${escaped(link)}"><button type="submit">${element('span', button)}</button></form>`,
        }),
      unusable,
    ),
})

const follow = endpoint({
  ...shared,
  method: 'POST',
  summary: 'Do what a link of an alert does',
  description: 'What the button of the page does, and what mail programs send that know how to end letters.',
  bodyType: 'raw',
  bodyLimit: 1024,
  status: 200,
  handle: ({ context, params: { link } }) =>
    followLink(context, link).then(
      (done) =>
        page(200, {
          title: sayOnPage('page.done'),
          content: `${element('p', done)}${element('p', sayOnPage('page.close'))}`,
        }),
      unusable,
    ),
})

function unusable(error: unknown): Answer {
  if (!(error instanceof Fault)) throw error
  return page(401, {
    title: sayOnPage('page.link_unusable'),
    content: element('p', sayOnPage('page.link_expired'), ' id="message"'),
  })
}

export const alertLinks = [show, follow]
