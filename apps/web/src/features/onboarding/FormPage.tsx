import type { RouteBody } from '@coffer/contract'
import { isPhone, isUrl } from '@coffer/contract/kit/validators.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../../api/index.ts'
import { invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { buildFieldRules, Fields, type FormFields } from '../../kit/form/Fields.tsx'
import { useForm } from '../../kit/useForm.ts'
import { AreaCodeInput } from '../../ui/controls/AreaCodeInput.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { canRequestMerchantPermission } from './progress.ts'
import { RefusalReason } from './RefusalReason.tsx'
import { type User, useUser } from './useUser.ts'

/** The request form for merchant permission. */
export default function FormPage() {
  const t = useMessages('onboarding')
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader title={t.formTitle} />
      <Card>
        <MerchantPermissionRequest />
      </Card>
    </div>
  )
}

/** The form, or the review of a request that has been sent. */
export function MerchantPermissionRequest() {
  const navigate = useNavigate()
  const user = useUser()
  const elsewhere = user.data !== undefined && !canRequestMerchantPermission(user.data.status)
  useEffect(() => {
    if (elsewhere) void navigate({ to: '/reviewing', replace: true })
  }, [elsewhere, navigate])
  return user.data && !elsewhere ? (
    <>
      <RefusalReason user={user.data} className="mb-6" />
      <Form user={user.data} />
    </>
  ) : (
    <Loading of={user} className="h-[480px] w-full" />
  )
}

function Form({ user }: { user: User }) {
  const t = useMessages('onboarding')
  const common = useMessages('common')
  const navigate = useNavigate()
  const fields = useFields()
  const initial = openingOf(user)
  const form = useForm(
    initial,
    buildFieldRules(initial, () => fields, common),
  )
  const send = async (values: Opening) => {
    await api('POST /api/v1/user/opening', { body: openingBody(values, user) })
    await invalidateCalls('GET /api/v1/user/info')
    await navigate({ to: '/reviewing' })
  }
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-6">
      <Fields form={form} fields={fields} />
      <div className="flex justify-end border-t border-line pt-5">
        <Button type="submit" look="primary" className="max-sm:grow" busy={form.busy}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}

function useFields(): FormFields<Opening> {
  const t = useMessages('onboarding')
  const common = useMessages('common')
  const more = { optional: true, grid: 'sm:grid-cols-2', group: { look: 'more', title: t.more } } as const
  const address = { ...more, maxLength: 100 } as const
  return [
    {
      name: 'name',
      label: t.name,
      hint: t.nameHint,
      required: true,
      autoComplete: 'organization',
      maxLength: 64,
    },
    {
      ...more,
      name: 'website',
      label: t.website,
      place: 'sm:col-span-2',
      type: 'url',
      autoComplete: 'url',
      placeholder: 'https://',
      rule: text => text.trim() !== '' && !isUrl(text.trim()) && common.urlAddress,
    },
    {
      ...more,
      name: 'area_code',
      label: common.areaCode,
      rule: (code, { phone }) => phone !== '' && code === '' && common.selectAreaCode,
      control: props => <AreaCodeInput {...props} placeholder={common.pleaseSelect} />,
    },
    {
      ...more,
      name: 'phone',
      label: common.phone,
      type: 'tel',
      inputMode: 'numeric',
      autoComplete: 'tel-national',
      maxLength: 14,
      className: 'num',
      clean: text => text.replace(/\D/g, ''),
      rule: (text, { area_code }) =>
        text === '' ? area_code !== '' && common.phoneAndAreaCode : !isPhone(text) && common.enter_phoneC,
    },
    { ...address, name: 'country', label: t.country, autoComplete: 'country-name' },
    { ...address, name: 'city', label: t.city, autoComplete: 'address-level2' },
    {
      ...address,
      name: 'street',
      label: t.street,
      autoComplete: 'street-address',
      maxLength: 200,
      place: 'sm:col-span-2',
    },
  ]
}

interface Opening {
  name: string
  website: string
  area_code: string
  phone: string
  country: string
  city: string
  street: string
}

/** Initial values from the merchant's profile. */
const openingOf = (user: User): Opening => ({
  name: user.name,
  website: user.website,
  area_code: user.area_code.replace('+', ''),
  phone: user.phone,
  ...user.address,
})

/** The request body; fields not in the form keep the merchant's values. */
const openingBody = (values: Opening, user: User): RouteBody<'POST /api/v1/user/opening'> => ({
  name: values.name.trim(),
  website: values.website.trim(),
  area_code: values.area_code,
  phone: values.phone,
  address: { country: values.country.trim(), city: values.city.trim(), street: values.street.trim() },
  socials: user.socials,
  time_zone: user.time_zone,
})
