import { type ChosenEvent, chosenEvents, guardedSettings, paymentMode } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { isText } from '@coffer/contract/kit/texts.ts'
import { isIpOrRange, isOrigin, isUrl } from '@coffer/contract/kit/validators.ts'
import type { Data } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import type { Rules } from '../../kit/rules.ts'

export type Application = Data<'GET /api/v1/user/secret-key/list'>['list'][number]

/** Form values; numbers and lists are text as typed. */
export interface Settings {
  name: string
  logo: string
  payment_logo: string
  website: string
  /** Only for new applications; later changes use a separate form. */
  notify_url: string
  payment_mode: string
  mixed_payment: boolean
  /** In percent, with at most one decimal place. */
  tolerance_permille: string
  ip_whitelist_enabled: boolean
  ip_whitelist: string
  callback_events: ChosenEvent[]
  payouts_allowed: boolean
  marks_allowed: boolean
  settings_allowed: boolean
  embed_origins: string
  remark: string
}

/** In percent. */
const toleranceMax = 5

export const newSettings: Settings = {
  name: '',
  logo: '',
  payment_logo: '',
  website: '',
  notify_url: '',
  payment_mode: String(paymentMode.contract),
  mixed_payment: true,
  tolerance_permille: '0',
  ip_whitelist_enabled: false,
  ip_whitelist: '',
  callback_events: chosenEvents,
  payouts_allowed: false,
  marks_allowed: false,
  settings_allowed: false,
  embed_origins: '',
  remark: '',
}

export const settingsOf = (application: Application): Settings => ({
  name: application.name,
  logo: application.logo,
  payment_logo: application.payment_logo,
  website: application.website,
  notify_url: application.notify_url,
  payment_mode: String(application.payment_mode),
  mixed_payment: application.mixed_payment,
  tolerance_permille: String(application.tolerance_permille / 10),
  ip_whitelist_enabled: application.ip_whitelist_enabled,
  ip_whitelist: application.ip_whitelist.join('\n'),
  callback_events: application.callback_events,
  payouts_allowed: application.payouts_allowed,
  marks_allowed: application.marks_allowed,
  settings_allowed: application.settings_allowed,
  embed_origins: application.embed_origins.join('\n'),
  remark: application.remark,
})

/** Parses IP addresses or origins separated by whitespace, commas or semicolons, without duplicates. */
export const readIps = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(part => part !== ''))]

const emptyOrUrl = (text: string) => text.trim() === '' || isUrl(text.trim())

export const settingsRules = (t: Messages<'applications'>, common: Messages<'common'>): Rules<Settings> => ({
  name: text => !isText(text) && common.required,
  website: text => !emptyOrUrl(text) && common.urlAddress,
  notify_url: text => !emptyOrUrl(text) && common.urlAddress,
  tolerance_permille: text => (!/^\d(\.\d?)?$/.test(text) || Number(text) > toleranceMax) && t.toleranceBad,
  ip_whitelist: (text, { ip_whitelist_enabled, payouts_allowed }) => {
    const ips = readIps(text)
    if (!ips.every(isIpOrRange)) return common.ipIncorrect
    if (ips.length > limits.ipWhitelistMax) return t.ipsTooMany
    if (payouts_allowed && !(ip_whitelist_enabled && ips.length > 0)) return t.payoutsNeedIps
    return ip_whitelist_enabled && ips.length === 0 && t.ipsNeeded
  },
  embed_origins: text => {
    const origins = readIps(text)
    return (!origins.every(isOrigin) || origins.length > limits.embedOriginsMax) && t.originsBad
  },
  callback_events: chosen => chosen.length === 0 && t.eventsNeeded,
})

/** The request body without the notify URL, which has its own call for existing applications. */
export function settingsBody(values: Settings) {
  const { notify_url: _own, ...rest } = values
  return {
    ...rest,
    name: rest.name.trim(),
    website: rest.website.trim(),
    payment_mode: Number(rest.payment_mode),
    tolerance_permille: Math.round(Number(rest.tolerance_permille) * 10),
    ip_whitelist: readIps(rest.ip_whitelist),
    embed_origins: readIps(rest.embed_origins),
    callback_events: chosenEvents.filter(event => rest.callback_events.includes(event)),
  }
}

/** Whether the form changes a setting that requires a proof. */
export function changesGuarded(application: Application, values: Settings): boolean {
  const body = settingsBody(values)
  return guardedSettings.some(name => JSON.stringify(body[name]) !== JSON.stringify(application[name]))
}
