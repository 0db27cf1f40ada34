import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import type { FormFields } from '../../kit/form/Fields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Checkbox } from '../../ui/controls/Choice.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { StateText } from '../../ui/feedback/Badge.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import {
  areValidFixedRates,
  areValidOwnRates,
  isValidSpreadText,
  moveRateSourceEarlier,
  orderRateSources,
  parseFixedRates,
  parseOwnRates,
  parseSpread,
  type RateSource,
  type RatesForm,
  rateUnitsOf,
  type ApplicationRateSettings as Stored,
  toRatesForm,
} from './rates.ts'
import type { Application } from './settings.ts'

interface Props {
  application: Application
  onClose(): void
}

/** How orders of an application are priced. */
export default function Rates({ application: { appid, name }, onClose }: Props) {
  const t = useMessages('application-rates')
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /api/v1/user/secret-key/rates', { query: { appid } }),
    gcTime: 0,
  })
  const proof = useProof('application')
  if (!data)
    return (
      <Modal open title={t.title} size="medium" onClose={onClose}>
        <Loading of={{ error, refetch }} className="h-96 w-full" />
      </Modal>
    )
  return (
    <ActionForm<RatesForm>
      title={t.title}
      text={t.text(name)}
      verb={t.save}
      size="medium"
      proof={proof}
      refreshes={['GET /api/v1/user/secret-key/rates']}
      onClose={onClose}
      done={t.saved}
      initial={toRatesForm(data)}
      fields={fieldsOf(t)}
      call={({ spread, sources, fixed, own }, confirmed) =>
        api('PUT /api/v1/user/secret-key/rates', {
          body: {
            appid,
            spread: parseSpread(spread),
            sources,
            fixed: parseFixedRates(fixed),
            own: parseOwnRates(own),
            ...confirmed,
          },
        })
      }
      note={data.readings.length > 0 && <Readings list={data.readings} />}
    />
  )
}

const fieldsOf = (t: Messages<'application-rates'>): FormFields<RatesForm> => [
  {
    name: 'spread',
    label: t.spread,
    hint: t.spreadHint,
    rule: text => !isValidSpreadText(text) && t.spreadBad,
    control: props => (
      <div className="flex items-center gap-2">
        <TextInput {...props} inputMode="text" maxLength={7} className="num max-w-24" />
        <span className="text-ink-3">%</span>
      </div>
    ),
  },
  {
    name: 'sources',
    rule: chosen => chosen.length === 0 && t.sourcesNeeded,
    draw: props => <Sources {...props} />,
  },
  {
    name: 'fixed',
    kind: 'area',
    label: t.fixed,
    hint: t.fixedHint,
    optional: true,
    rows: 3,
    spellCheck: false,
    className: 'num',
    placeholder: 'CNY 7.2\nETH 2500',
    rule: text => !areValidFixedRates(text) && t.fixedBad,
  },
  {
    name: 'own',
    kind: 'area',
    label: t.own,
    hint: t.ownHint,
    optional: true,
    rows: 3,
    spellCheck: false,
    className: 'num',
    placeholder: 'CNY https://rates.example/usdt.json data.cny',
    rule: text => !areValidOwnRates(text) && t.ownBad,
  },
]

interface SourcesProps {
  value: RateSource[]
  error: string | undefined
  onChange(value: RateSource[]): void
}

function Sources({ value: chosen, error, onChange }: SourcesProps) {
  const t = useMessages('application-rates')
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-[13px] font-medium text-ink-2">{t.sources}</legend>
      <p className="text-xs text-ink-3">{t.sourcesHint}</p>
      <ol className="divide-y divide-line rounded-lg border border-line">
        {orderRateSources(chosen).map(source => {
          const at = chosen.indexOf(source)
          return (
            <li key={source} className="flex min-h-12 items-center gap-2 px-3 py-1.5">
              <div className="flex-1">
                <Checkbox
                  label={t.names[source]}
                  hint={t.hints[source]}
                  checked={at >= 0}
                  onChange={on => onChange(on ? [...chosen, source] : chosen.filter(each => each !== source))}
                />
              </div>
              {at > 0 && (
                <IconButton
                  icon="chevronDown"
                  size="small"
                  className="rotate-180"
                  label={t.earlier(t.names[source])}
                  onClick={() => onChange(moveRateSourceEarlier(chosen, source))}
                />
              )}
            </li>
          )
        })}
      </ol>
      {error && (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** What the merchant's URLs last gave. */
function Readings({ list }: { list: Stored['readings'] }) {
  const t = useMessages('application-rates')
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-[13px] font-medium text-ink-2">{t.readings}</h3>
      <ul className="mt-2 flex flex-col gap-2 text-[13px]">
        {list.map(({ currency, rate, time, failure }) => {
          const unit = rateUnitsOf(currency)
          return (
            <li key={currency} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="num">
                {rate ? (
                  <>
                    1 {unit.of} = <Amount exact value={rate} unit={unit.in} />
                  </>
                ) : (
                  currency
                )}
              </span>
              <span className="flex flex-wrap items-center gap-x-3 text-ink-3">
                {time > 0 && <Time seconds={time} />}
                <StateText kind={failure ? 'error' : time > 0 ? 'success' : 'closed'}>
                  {failure ? t.failures[failure] : time > 0 ? t.read : t.unread}
                </StateText>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
