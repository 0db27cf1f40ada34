import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { RouteData } from '../api/index.ts'
import { apiQuery } from '../api/query.ts'
import { useMessages } from '../i18n/messages.ts'
import { lazyComponent } from '../lib/later.tsx'
import { useDebouncedValue } from '../lib/useDebouncedValue.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { GroupedText } from '../ui/data/CopyText.tsx'
import { MarkedText } from '../ui/data/MarkedText.tsx'
import { Icon } from '../ui/icons.tsx'

const typingMs = 350

type Check = RouteData<'GET /api/v1/account/address-valid'>['checks'][number]

interface Props {
  /** Asset to be paid; empty before the choice. Without it the address is for the address book. */
  tokenId?: string
  /** Empty before a token is chosen. */
  chainId: string
  network: string
  /** Replaces the warning of other networks. */
  hint?: string
  value: string
  error: string | undefined
  onChange(text: string): void
  /** Reports what was checked, and the address as the chain writes it; empty if it is none. */
  onChecked(checked: { text: string; shown: string }): void
}

/** The receiving address, checked while it is typed. It is never masked. */
export function AddressField({ tokenId, chainId, network, hint, value, error, onChange, onChecked }: Props) {
  const t = useMessages('withdrawals')
  const text = useDebouncedValue(value.trim(), typingMs)
  const checked = useQuery({
    ...apiQuery('GET /api/v1/account/address-valid', {
      query: { currency_id: chainId, address: text, ...(tokenId !== undefined && { token_id: tokenId }) },
    }),
    enabled: chainId !== '' && text !== '',
  })
  const report = useEffectEvent(onChecked)
  const shown = checked.data?.valid ? checked.data.address : ''
  useEffect(() => {
    if (checked.data) report({ text, shown })
  }, [checked.data, text, shown])
  const current = text === value.trim() && text !== ''
  const failed = current ? checked.data?.checks.find(({ result }) => result === 'fail') : undefined
  const similar = current && checked.data?.checks.find(each => each.similar)?.similar
  // What is read as no address and lost all the same is the zero address.
  const isZero = failed?.check === 'lost' && checked.data?.address === ''
  const wrong =
    current && checked.data?.valid === false && (isZero ? t.zeroAddress : t.checkFails[failed?.check ?? 'form'])
  return (
    <div className="flex flex-col gap-2">
      <Field label={t.address} hint={hint ?? (network && t.addressHint(network))} error={wrong || error} required>
        {control => (
          <div className="flex gap-2 max-[259px]:flex-wrap">
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
            {tokenId !== undefined && <PickAddress chainId={chainId} onPick={onChange} />}
          </div>
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
            <WholeAddress value={shown} />
            <Warnings
              checks={(checked.data?.checks ?? []).filter(
                ({ check }) => tokenId !== undefined || check !== 'first_payment',
              )}
            />
          </div>
        )}
        {similar && <Similar text={text} similar={similar} />}
      </div>
    </div>
  )
}

/** What the checks say that does not forbid the address. */
function Warnings({ checks }: { checks: readonly Check[] }) {
  const t = useMessages('withdrawals')
  const texts = checks.filter(({ result }) => result === 'warn').map(({ check }) => t.checkWarns[check])
  if (checks.some(({ result }) => result === 'unknown')) texts.push(t.checkUnknown)
  return texts.map(text => (
    <p key={text} className="mt-1.5 flex items-start gap-2 text-ink-2">
      <Icon name="warning" size={16} className="mt-0.5 shrink-0 text-accent-text" />
      {text}
    </p>
  ))
}

/** The typed address and the known one that it resembles, whole, with the difference marked. */
function Similar({ text, similar: { address, from, to } }: { text: string; similar: NonNullable<Check['similar']> }) {
  const t = useMessages('withdrawals')
  return (
    <dl className="rounded-lg bg-bad-soft px-3 py-2">
      {[
        [t.address, text],
        [t.known, address],
      ].map(([name, value = '']) => (
        <div key={name} className="py-1">
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd translate="no" className="font-mono text-[13px] break-all">
            <MarkedText text={value} from={from} to={to} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** An address, whole. */
export const WholeAddress = ({ value }: { value: string }) => (
  <GroupedText value={value} className="mt-1 block font-mono text-[13px] leading-6" />
)

const AddressPicker = lazyComponent(() => import('./AddressPicker.tsx'))

/** A button beside a destination that fills it from the address book. Disabled while no network is chosen. */
function PickAddress({ chainId, onPick }: { chainId: string; onPick(address: string): void }) {
  const t = useMessages('address-book')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        icon="pin"
        aria-label={t.pick}
        className="shrink-0"
        disabled={chainId === ''}
        onClick={() => setOpen(true)}
      >
        {t.book}
      </Button>
      {open && (
        <AddressPicker
          chainId={chainId}
          onPick={address => {
            setOpen(false)
            onPick(address)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
