import { html, type TemplateResult } from 'lit'
import { clock, type Plan, weekday } from './cron.ts'
import type { Words } from './words/index.ts'

interface Options {
  words: Words
  language: string
  onChange: (plan: Plan) => void
}

/** The fields that belong to one kind of schedule. */
export function planFields(plan: Plan, options: Options): TemplateResult {
  const { words, language, onChange } = options
  const { schedules } = words
  switch (plan.kind) {
    case 'minutes':
      return html`<div class="pair">${choice('every', schedules.every, [1, 2, 5, 10, 15, 20, 30], plan.every, (every) => onChange({ ...plan, every }), unitOf('minute', language))}</div>`
    case 'hours':
      return html`<div class="pair">
        ${choice('every', schedules.every, [1, 2, 3, 4, 6, 8, 12], plan.every, (every) => onChange({ ...plan, every }), unitOf('hour', language))}
        ${choice('minute', schedules.at, range(0, 59), plan.minute, (minute) => onChange({ ...plan, minute }), unitOf('minute', language))}
      </div>`
    case 'days':
      return html`<div class="pair">${timeField(plan, options)}</div>`
    case 'weeks':
      return html`${weekdays(plan, options)}<div class="pair">${timeField(plan, options)}</div>`
    case 'months':
      return html`<div class="pair">
        ${choice('day', schedules.dayOfMonth, range(1, 31), plan.day, (day) => onChange({ ...plan, day }))}${timeField(plan, options)}
      </div>`
    case 'custom':
      return html`<div class="field">
        <label for="cron">${schedules.cron}</label>
        <input id="cron" class="mono" .value=${plan.cron} aria-describedby="cron-help" autocomplete="off" spellcheck="false"
          @input=${(event: Event) => onChange({ kind: 'custom', cron: (event.target as HTMLInputElement).value })} />
        <span class="field-help" id="cron-help">${schedules.cronHelp}</span>
      </div>`
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

/** "1 minute", "5 minutes". */
const unitOf = (unit: 'minute' | 'hour', language: string) => {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return (value: number) => format.format(value)
}

const choice = (
  id: string,
  label: string,
  values: readonly number[],
  value: number,
  onChange: (value: number) => void,
  said: (value: number) => string = String,
) => html`<div class="field">
  <label for=${id}>${label}</label>
  <select id=${id} @change=${(event: Event) => onChange(Number((event.target as HTMLSelectElement).value))}>
    ${[...new Set([...values, value])].sort((a, b) => a - b).map((each) => html`<option value=${each} .selected=${each === value}>${said(each)}</option>`)}
  </select>
</div>`

function timeField(plan: Extract<Plan, { hour: number }>, { words, onChange }: Options): TemplateResult {
  const change = (event: Event) => {
    const [hour = '0', minute = '0'] = (event.target as HTMLInputElement).value.split(':')
    onChange({ ...plan, hour: Number(hour), minute: Number(minute) })
  }
  return html`<div class="field">
    <label for="time">${words.schedules.at}</label>
    <input id="time" type="time" required .value=${clock(plan.hour, plan.minute)} @change=${change} />
  </div>`
}

function weekdays(plan: Extract<Plan, { kind: 'weeks' }>, { words, language, onChange }: Options): TemplateResult {
  const toggle = (day: number) => {
    const days = plan.days.includes(day) ? plan.days.filter((one) => one !== day) : [...plan.days, day]
    // A schedule on no day at all is none.
    if (days.length > 0) onChange({ ...plan, days })
  }
  return html`<fieldset>
    <legend>${words.schedules.on}</legend>
    <div class="row">
      ${[1, 2, 3, 4, 5, 6, 0].map(
        (day) =>
          html`<label class="row"><input type="checkbox" .checked=${plan.days.includes(day)} @change=${() => toggle(day)} />${weekday(day, language, 'short')}</label>`,
      )}
    </div>
  </fieldset>`
}
