import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useForm } from '../../kit/useForm.ts'
import { AreaCodeInput } from '../../ui/controls/AreaCodeInput.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { openingBody, openingOf, openingRules } from './opening.ts'
import { mayApply } from './progress.ts'
import { type User, useUser } from './useUser.ts'

/** The request form for merchant permission. */
export default function FormPage() {
  const t = useMessages('onboarding')
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader title={t.formTitle} text={t.formText} />
      <Card>
        <Request />
      </Card>
    </div>
  )
}

/** The form, or the review of a request that has been sent. */
export function Request() {
  const navigate = useNavigate()
  const user = useUser()
  const elsewhere = user.data !== undefined && !mayApply(user.data.status)
  useEffect(() => {
    if (elsewhere) void navigate({ to: '/reviewing', replace: true })
  }, [elsewhere, navigate])
  if (user.error) return <ErrorState error={user.error} onRetry={() => void user.refetch()} />
  return user.data && !elsewhere ? <Form user={user.data} /> : <Skeleton className="h-[480px] w-full" />
}

function Form({ user }: { user: User }) {
  const t = useMessages('onboarding')
  const common = useMessages('common')
  const navigate = useNavigate()
  const form = useForm(openingOf(user), openingRules(common))
  const { values, errors, set } = form
  const send = async () => {
    await api('POST /api/v1/user/opening', { body: openingBody(values, user) })
    await refresh('GET /api/v1/user/info')
    await navigate({ to: '/reviewing' })
  }
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-6">
      <Group title={t.business}>
        <Field label={t.name} hint={t.nameHint} error={errors.name} required>
          {control => (
            <TextInput
              {...control}
              autoComplete="organization"
              maxLength={64}
              value={values.name}
              onChange={set('name')}
            />
          )}
        </Field>
        <Field label={t.website} optional={common.optional} error={errors.website}>
          {control => (
            <TextInput
              {...control}
              type="url"
              autoComplete="url"
              placeholder="https://"
              value={values.website}
              onChange={set('website')}
            />
          )}
        </Field>
      </Group>
      <Group title={t.contact}>
        <Field label={common.areaCode} optional={common.optional} error={errors.area_code}>
          {control => (
            <AreaCodeInput
              {...control}
              placeholder={common.pleaseSelect}
              value={values.area_code}
              onChange={set('area_code')}
            />
          )}
        </Field>
        <Field label={common.phone} optional={common.optional} error={errors.phone}>
          {control => (
            <TextInput
              {...control}
              type="tel"
              inputMode="numeric"
              autoComplete="tel-national"
              maxLength={14}
              className="num"
              value={values.phone}
              onChange={text => set('phone')(text.replace(/\D/g, ''))}
            />
          )}
        </Field>
      </Group>
      <Group title={t.address}>
        <Field label={t.country} optional={common.optional}>
          {control => (
            <TextInput
              {...control}
              autoComplete="country-name"
              maxLength={100}
              value={values.country}
              onChange={set('country')}
            />
          )}
        </Field>
        <Field label={t.city} optional={common.optional}>
          {control => (
            <TextInput
              {...control}
              autoComplete="address-level2"
              maxLength={100}
              value={values.city}
              onChange={set('city')}
            />
          )}
        </Field>
        <Field label={t.street} optional={common.optional} className="sm:col-span-2">
          {control => (
            <TextInput
              {...control}
              autoComplete="street-address"
              maxLength={200}
              value={values.street}
              onChange={set('street')}
            />
          )}
        </Field>
      </Group>
      <div className="flex justify-end border-t border-line pt-5">
        <Button type="submit" look="primary" className="max-sm:grow" busy={form.busy}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="grid gap-4 sm:grid-cols-2">
    <legend className="mb-3 text-sm font-semibold">{title}</legend>
    {children}
  </fieldset>
)
