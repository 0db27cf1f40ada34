import type { Body } from '@coffer/contract'
import { isPhone, isText, isUrl } from '@coffer/contract/validators.ts'
import type { Messages } from '../../i18n/areas.ts'
import type { Rules } from '../../kit/rules.ts'
import type { User } from './useUser.ts'

export interface Opening {
  name: string
  website: string
  area_code: string
  phone: string
  country: string
  city: string
  street: string
}

/** Initial values from the merchant's profile. */
export const openingOf = (user: User): Opening => ({
  name: user.name,
  website: user.website,
  area_code: user.area_code.replace('+', ''),
  phone: user.phone,
  ...user.address,
})

export const openingRules = (t: Messages<'common'>): Rules<Opening> => ({
  name: text => !isText(text) && t.required,
  website: text => text.trim() !== '' && !isUrl(text.trim()) && t.urlAddress,
  area_code: (code, { phone }) => phone !== '' && code === '' && t.selectAreaCode,
  phone: (text, { area_code }) =>
    text === '' ? area_code !== '' && t.phoneAndAreaCode : !isPhone(text) && t.enter_phoneC,
})

/** The request body; fields not in the form keep the merchant's values. */
export const openingBody = (values: Opening, user: User): Body<'POST /api/v1/user/opening'> => ({
  name: values.name.trim(),
  website: values.website.trim(),
  area_code: values.area_code,
  phone: values.phone,
  address: { country: values.country.trim(), city: values.city.trim(), street: values.street.trim() },
  socials: user.socials,
  time_zone: user.time_zone,
})
