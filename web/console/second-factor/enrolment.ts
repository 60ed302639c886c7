import { css, html, type TemplateResult } from 'lit'
import { copy } from '../../parts/copy.ts'
import { field } from '../form.ts'
import { qrCode, qrLook } from './qr.ts'

/** Both while signing in and in the account: what an authenticator app is shown, and what it answers. */
export const enrolment = ({ secret, uri }: { secret: string; uri: string }): TemplateResult => html`
  <p>Scan this with an authenticator app on your phone, and type the code that it shows.</p>
  ${qrCode(uri, 'QR code for the authenticator app')}
  <p class="small">No camera? Type this key into the app:<br />${copy(secret, 'Copy the key')}</p>`

export const codeField = (failure: unknown, help?: string): TemplateResult =>
  field({ name: 'code', label: 'Code', failure, autocomplete: 'one-time-code', ...(help !== undefined && { help }) })

export const recoveryCodes = (codes: readonly string[]): TemplateResult => html`
  <p>Each of these codes signs you in once if you lose the phone. Keep them where the phone is not: they are shown only this once.</p>
  <ol class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
  ${copy(codes.join(' '), 'Copy all codes')}`

export const enrolmentLook = [
  qrLook,
  css`
    .codes {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(180px, 1fr));
      gap: 4px 16px;
      margin: 0;
      padding-inline-start: 28px;
    }
    ep-copy {
      max-width: 100%;
    }
  `,
]
