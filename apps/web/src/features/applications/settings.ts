import { paymentMode, proofRequiredSettings, type SelectableEvent, selectableEvents } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { isNonBlankText } from '@coffer/contract/kit/texts.ts'
import { isIpOrRange, isOrigin, isUrl } from '@coffer/contract/kit/validators.ts'
import type { RouteData } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import type { FormRules } from '../../kit/rules.ts'

export type Application = RouteData<'GET /api/v1/user/secret-key/list'>['list'][number]

/** Form values; numbers and lists are text as typed. */
export interface ApplicationSettingsValues {
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
  callback_events: SelectableEvent[]
  read_allowed: boolean
  orders_allowed: boolean
  refunds_allowed: boolean
  payouts_allowed: boolean
  marks_allowed: boolean
  settings_allowed: boolean
  members_allowed: boolean
  endpoints_allowed: boolean
  embed_origins: string
  remark: string
}

/** In percent. */
const toleranceMax = 5

export const emptyApplicationSettings: ApplicationSettingsValues = {
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
  callback_events: selectableEvents,
  read_allowed: true,
  orders_allowed: true,
  refunds_allowed: false,
  payouts_allowed: false,
  marks_allowed: false,
  settings_allowed: false,
  members_allowed: false,
  endpoints_allowed: false,
  embed_origins: '',
  remark: '',
}

export const toApplicationSettings = (application: Application): ApplicationSettingsValues => ({
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
  read_allowed: application.read_allowed,
  orders_allowed: application.orders_allowed,
  refunds_allowed: application.refunds_allowed,
  payouts_allowed: application.payouts_allowed,
  marks_allowed: application.marks_allowed,
  settings_allowed: application.settings_allowed,
  members_allowed: application.members_allowed ?? false,
  endpoints_allowed: application.endpoints_allowed,
  embed_origins: application.embed_origins.join('\n'),
  remark: application.remark,
})

/** Parses IP addresses or origins separated by whitespace, commas or semicolons, without duplicates. */
export const parseIpsOrOrigins = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter(part => part !== '')),
]

const emptyOrUrl = (text: string) => text.trim() === '' || isUrl(text.trim())

export const buildSettingsRules = (
  t: Messages<'applications'>,
  common: Messages<'common'>,
): FormRules<ApplicationSettingsValues> => ({
  name: text => !isNonBlankText(text) && common.required,
  website: text => !emptyOrUrl(text) && common.urlAddress,
  notify_url: text => !emptyOrUrl(text) && common.urlAddress,
  tolerance_permille: text => (!/^\d(\.\d?)?$/.test(text) || Number(text) > toleranceMax) && t.toleranceBad,
  ip_whitelist: (text, { ip_whitelist_enabled, payouts_allowed, refunds_allowed, members_allowed }) => {
    const ips = parseIpsOrOrigins(text)
    if (!ips.every(isIpOrRange)) return common.ipIncorrect
    if (ips.length > limits.ipWhitelistMax) return t.ipsTooMany
    if ((payouts_allowed || refunds_allowed || members_allowed) && !(ip_whitelist_enabled && ips.length > 0))
      return t.payoutsNeedIps
    return ip_whitelist_enabled && ips.length === 0 && t.ipsNeeded
  },
  embed_origins: text => {
    const origins = parseIpsOrOrigins(text)
    return (!origins.every(isOrigin) || origins.length > limits.embedOriginsMax) && t.originsBad
  },
  callback_events: chosen => chosen.length === 0 && t.eventsNeeded,
})

/** The request body without the notify URL, which has its own call for existing applications. */
export function toSettingsBody(values: ApplicationSettingsValues) {
  const { notify_url: _own, ...rest } = values
  return {
    ...rest,
    name: rest.name.trim(),
    website: rest.website.trim(),
    payment_mode: Number(rest.payment_mode),
    tolerance_permille: Math.round(Number(rest.tolerance_permille) * 10),
    ip_whitelist: parseIpsOrOrigins(rest.ip_whitelist),
    embed_origins: parseIpsOrOrigins(rest.embed_origins),
    callback_events: selectableEvents.filter(event => rest.callback_events.includes(event)),
  }
}

/** Whether the form changes a setting that requires a proof. */
export function hasGuardedChange(application: Application, values: ApplicationSettingsValues): boolean {
  const body = toSettingsBody(values)
  const before = { ...application, members_allowed: application.members_allowed ?? false }
  return proofRequiredSettings.some(name => JSON.stringify(body[name]) !== JSON.stringify(before[name]))
}
