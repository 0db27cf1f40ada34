/** @jsxImportSource preact */
import type { RouteData } from '@coffer/contract'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatPayersTime } from '../i18n/format.ts'
import { withNote } from '../i18n/listed.ts'
import { buttonClass, controlClass, linkClass } from '../ui/classes.ts'
import { stripHiddenCharacters } from '../ui/controls/hidden.ts'
import { callPublicApi } from '../visitor/call.ts'
import type { VisitorPageProps } from '../visitor/open.tsx'
import { exactAmount, GroupedText, useHeadingFocus, useTitle } from '../visitor/parts.tsx'
import {
  DetailList,
  type DetailRow,
  Field,
  LinkPageCard,
  LinkPagePlaceholder,
  Problem,
  useCallResult,
  useProblem,
} from './parts.tsx'

type Claim = RouteData<'POST /api/v1/public/refund-claim'>
type Quote = RouteData<'POST /api/v1/public/refund-claim/quote'>
type Words = typeof import('../i18n/en/claim.ts').default

const path = 'public/refund-claim'
/** Pause (ms) between two looks: at a refund under way, and at one that another tab may claim. */
const pauseMs = { waiting: 3_000, sending: 3_000, confirming: 3_000, open: 15_000 } as Partial<
  Record<Claim['state'], number>
>

/** Shows the refund of a link: the payer chooses network and address, and sees it paid. */
export function RefundPage({ token, t, frame }: VisitorPageProps<Words>) {
  const { data: claim, setData, ...reading } = useCallResult(() => callPublicApi<Claim>(path, { token }), t.offline)
  const { problem, load } = reading
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look starts the pause before the next
  useEffect(() => {
    const pause = claim && pauseMs[claim.state]
    if (!pause) return
    const timer = setTimeout(() => void load(), pause)
    return () => clearTimeout(timer)
  }, [claim, problem])
  useTitle(t.title)
  useHeadingFocus(claim?.state)
  if (!claim) return <LinkPagePlaceholder frame={frame} t={t} {...reading} />
  const { state } = claim
  const inToken = (value: string) => `${exactAmount(value)} ${claim.token}`
  const rows: DetailRow[] = [
    [t.amount, <strong key="amount">{inToken(claim.amount)}</strong>],
    [t.order, claim.out_trade_no],
  ]
  if (claim.address !== '') {
    if (claim.gas_payer === 'payer') rows.push([t.gas, inToken(claim.gas)])
    rows.push(
      [t.receives, <strong key="receives">{inToken(claim.receives)}</strong>],
      [t.network, claim.chain],
      [t.address, <GroupedText key="address" value={claim.address} />, 'below'],
    )
    if (state === 'waiting') rows.push([t.sends, formatPayersTime(claim.send_time)])
  }
  if (claim.txid !== '')
    rows.push([
      t.transaction,
      claim.browser_url ? (
        <a key="tx" class={linkClass} href={claim.browser_url} rel="noreferrer" target="_blank">
          <GroupedText value={claim.txid} />
        </a>
      ) : (
        <GroupedText key="tx" value={claim.txid} />
      ),
      'below',
    ])
  if (state === 'open') rows.push([t.expires, formatPayersTime(claim.expire_time)])
  return (
    <LinkPageCard
      {...frame}
      title={t.titles[state]}
      text={state === 'open' ? t.text(claim.merchant_name) : t.texts[state]}
    >
      <div aria-live="polite">
        <DetailList rows={rows} />
      </div>
      {state === 'open' && (
        <Choose token={token} claim={claim} t={t} onClaimed={setData} onRefused={() => void load()} />
      )}
    </LinkPageCard>
  )
}

interface ChooseProps {
  token: string
  claim: Claim
  t: Words
  onClaimed(claim: Claim): void
  onRefused(): void
}

/** Asks what arrives at an address, then claims it. */
function useClaim({ token, t, onClaimed, onRefused }: ChooseProps, refuse: (problem: string, field?: string) => void) {
  const [quote, setQuote] = useState<Quote | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (verb: 'quote' | 'confirm', body: object) => {
    if (busy) return
    setBusy(true)
    const answer = await callPublicApi<Quote & Claim>(`${path}/${verb}`, { token, ...body })
    setBusy(false)
    if (!answer.ok) {
      if (verb === 'confirm') setQuote(null)
      refuse(answer.message || t.offline, answer.field)
      // The link may have ended meanwhile.
      onRefused()
    } else if (verb === 'confirm') onClaimed(answer.data)
    else {
      setQuote(answer.data)
      refuse(answer.data.refused)
    }
  }
  return { quote, busy, send, forgetQuote: () => setQuote(null) }
}

const networkName = ({ chain, net_work }: Claim['networks'][number]) => withNote(chain, net_work)

/** Network and address, then what arrives there, then the claim. */
function Choose(props: ChooseProps) {
  const { claim, t } = props
  const { networks } = claim
  const [chosen, setChosen] = useState('')
  const [address, setAddress] = useState('')
  const [sure, setSure] = useState(false)
  const { problem, error, refuse, marked } = useProblem('address')
  const { quote, busy, send, forgetQuote } = useClaim(props, refuse)
  const asset_id = networks.some(each => each.asset_id === chosen) ? chosen : (networks[0]?.asset_id ?? '')
  const network = networks.find(each => each.asset_id === asset_id)
  const edit = (change: () => void) => {
    change()
    forgetQuote()
    setSure(false)
    refuse('')
  }
  const to = { asset_id, address: address.trim() }
  const checks = quote !== null && quote.refused === ''
  useHeadingFocus(checks ? 'check' : 'choose')
  if (!network) return <p class="text-sm text-ink-2">{t.noNetwork}</p>
  const alert = <Problem text={problem} />
  if (checks)
    return (
      <Check
        claim={claim}
        quote={quote}
        network={networkName(network)}
        t={t}
        mayConfirm={!busy && (!quote.is_contract || sure)}
        onConfirm={() => void send('confirm', { ...to, receives: quote.receives, quote: quote.quote })}
        onChange={forgetQuote}
      >
        {quote.is_contract && <ContractSure sure={sure} t={t} onSure={setSure} />}
        {alert}
      </Check>
    )
  return (
    <form
      class="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        void send('quote', to)
      }}
    >
      <Field id="network" label={t.network}>
        <NetworkSelect networks={networks} value={asset_id} onChoose={value => edit(() => setChosen(value))} />
      </Field>
      <Field id="address" label={t.address} hint={t.addressHint} error={error}>
        <AddressInput
          address={address}
          marked={marked}
          onType={(seen, isCleaned) => {
            edit(() => setAddress(seen))
            if (isCleaned) refuse(t.hiddenRemoved)
          }}
        />
      </Field>
      {alert}
      <button type="submit" class={buttonClass('primary', 'large')} disabled={busy}>
        {t.check}
      </button>
    </form>
  )
}

interface NetworkSelectProps {
  networks: Claim['networks']
  value: string
  onChoose(assetId: string): void
}

const NetworkSelect = ({ networks, value, onChoose }: NetworkSelectProps) => (
  <select
    id="network"
    class={`${controlClass} w-full`}
    value={value}
    onChange={event => onChoose(event.currentTarget.value)}
  >
    {networks.map(each => (
      <option key={each.asset_id} value={each.asset_id}>
        {networkName(each)}
      </option>
    ))}
  </select>
)

interface CheckProps {
  claim: Claim
  quote: Quote
  network: string
  t: Words
  mayConfirm: boolean
  onConfirm(): void
  onChange(): void
  children: ComponentChildren
}

/** What arrives where, to be confirmed. */
const Check = ({ claim, quote, network, t, mayConfirm, onConfirm, onChange, children }: CheckProps) => (
  <section class="flex flex-col gap-4">
    <h2 data-step class="text-sm font-semibold">
      {t.checkTitle}
    </h2>
    <DetailList
      rows={[
        [t.network, network],
        [t.address, <GroupedText key="address" value={quote.address} />, 'below'],
        [t.gas, claim.gas_payer === 'merchant' ? t.freeGas : `${exactAmount(quote.gas)} ${claim.token}`],
        [t.receives, <strong key="receives">{`${exactAmount(quote.receives)} ${claim.token}`}</strong>],
      ]}
    />
    {children}
    <div class="flex flex-wrap gap-3">
      <button
        type="button"
        class={`${buttonClass('primary', 'large')} flex-1`}
        disabled={!mayConfirm}
        onClick={onConfirm}
      >
        {t.confirm}
      </button>
      <button type="button" class={buttonClass('secondary', 'large')} onClick={onChange}>
        {t.change}
      </button>
    </div>
  </section>
)

/** An address with code may be a contract that keeps what it gets. */
const ContractSure = ({ sure, t, onSure }: { sure: boolean; t: Words; onSure(sure: boolean): void }) => (
  <div class="text-[13px]">
    <p class="text-bad">{t.contract}</p>
    <label class="flex items-center gap-2 py-2.5 font-medium">
      <input
        type="checkbox"
        class="size-4 accent-accent"
        checked={sure}
        onChange={event => onSure(event.currentTarget.checked)}
      />
      {t.contractSure}
    </label>
  </div>
)

interface AddressInputProps {
  address: string
  marked: ReturnType<typeof useProblem>['marked']
  /** `isCleaned`: hidden characters were removed from what was typed. */
  onType(address: string, isCleaned: boolean): void
}

const AddressInput = ({ address, marked, onType }: AddressInputProps) => (
  <input
    id="address"
    class={`${controlClass} w-full font-mono text-[13px]`}
    required
    maxLength={128}
    autoComplete="off"
    autoCapitalize="off"
    spellcheck={false}
    aria-describedby="address-hint"
    {...marked}
    value={address}
    onInput={event => {
      const input = event.currentTarget
      const seen = stripHiddenCharacters(input.value)
      const isCleaned = seen !== input.value
      onType(seen, isCleaned)
      if (isCleaned) input.value = seen
    }}
  />
)
