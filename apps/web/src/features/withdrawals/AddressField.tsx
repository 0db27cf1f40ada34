import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { inGroups } from '../../ui/data/inGroups.ts'
import { Icon } from '../../ui/icons.tsx'
import { useSettled } from './useSettled.ts'

const typingMs = 350

interface Props {
  /** Empty before a token is chosen. */
  chainId: string
  network: string
  value: string
  error: string | undefined
  onChange(text: string): void
  /** Tells what was checked, and the address as the chain writes it; empty if it is none. */
  onChecked(checked: { text: string; shown: string }): void
}

/** The receiving address, checked while it is typed. It is never masked. */
export function AddressField({ chainId, network, value, error, onChange, onChecked }: Props) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const text = useSettled(value.trim(), typingMs)
  const checked = useQuery({
    ...apiQuery('GET /api/v1/account/address-valid', { query: { currency_id: chainId, address: text } }),
    enabled: chainId !== '' && text !== '',
  })
  const tell = useEffectEvent(onChecked)
  const shown = checked.data?.valid ? checked.data.address : ''
  useEffect(() => {
    if (checked.data) tell({ text, shown })
  }, [checked.data, text, shown])
  const current = text === value.trim() && text !== ''
  const wrong = current && checked.data?.valid === false
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t.address}
        hint={network && t.addressHint(network)}
        error={wrong ? common.addressMismatch : error}
        required
      >
        {control => (
          <TextInput
            {...control}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={128}
            translate="no"
            className="font-mono text-[13px]"
            value={value}
            onChange={onChange}
          />
        )}
      </Field>
      <div role="status" className="text-[13px] empty:hidden">
        {current && checked.isFetching && !checked.data && <span className="text-ink-3">{t.checking}</span>}
        {current && shown && (
          <div className="rounded-lg bg-sunken px-3 py-2">
            <p className="flex items-start gap-2 text-ink-2">
              <Icon name="check" size={16} className="mt-0.5 shrink-0 text-good" />
              {t.addressChecked}
            </p>
            <Address value={shown} />
          </div>
        )}
      </div>
    </div>
  )
}

/** An address in groups of four characters, whole. */
export const Address = ({ value }: { value: string }) => (
  <span translate="no" className="mt-1 block font-mono text-[13px] leading-6">
    {inGroups(value).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
      <span key={index} className="mr-1.5 inline-block odd:text-ink-2">
        {group}
      </span>
    ))}
  </span>
)
