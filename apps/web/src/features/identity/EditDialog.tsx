import { merchantStatus } from '@coffer/contract/codes.ts'
import { isUrl } from '@coffer/contract/kit/validators.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { formatTimeZoneName, zoneNames } from '../../lib/zone.ts'
import { Combobox } from '../../ui/controls/Combobox.tsx'
import { type AccountDialogProps, refreshAccount } from './dialogs.ts'

/** Public merchant details, and the time zone. A new name, which payers see, needs a proof. */
export function EditDialog({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const proof = useProof('application')
  const half = { maxLength: 100, grid: 'sm:grid-cols-2' }
  return (
    <ActionForm
      title={t.editTitle}
      verb={common.save}
      size="medium"
      initial={{
        name: user.name,
        website: user.website,
        time_zone: user.time_zone,
        ...user.address,
        ...user.socials,
      }}
      fields={[
        { name: 'name', label: t.name, required: true, maxLength: 64 },
        {
          name: 'website',
          label: t.website,
          type: 'url',
          placeholder: 'https://',
          rule: text => text.trim() !== '' && !isUrl(text.trim()) && common.urlAddress,
        },
        {
          name: 'time_zone',
          label: t.timeZone,
          control: ({ onChange, ...control }) => (
            <Combobox
              {...control}
              items={zoneNames(user.time_zone)}
              text={formatTimeZoneName}
              itemKey={formatTimeZoneName}
              onChange={zone => zone !== null && onChange(zone)}
            />
          ),
        },
        { ...half, name: 'street', label: t.street },
        { ...half, name: 'city', label: t.city },
        { ...half, name: 'country', label: t.country },
        { ...half, name: 'telegram', label: 'Telegram' },
        { ...half, name: 'twitter', label: 'X' },
        { ...half, name: 'facebook', label: 'Facebook' },
      ]}
      proof={({ name }) => (user.status === merchantStatus.approved && name.trim() !== user.name ? proof : undefined)}
      call={async ({ name, website, time_zone, street, city, country, telegram, twitter, facebook }, confirmed) => {
        const address = { street, city, country }
        const socials = { telegram, twitter, facebook }
        const body = { name: name.trim(), website: website.trim(), time_zone, address, socials, ...confirmed }
        await api('PUT /api/v1/user/edit', { body })
        await refreshAccount()
      }}
      done={t.saved}
      onClose={onClose}
    />
  )
}
