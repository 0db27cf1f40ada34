import type { RouteBody } from '@coffer/contract'
import { defaultShopCurrencies, type ShopProtocol, shopProtocols } from '@coffer/contract/codes/shops.ts'
import { fiats } from '@coffer/contract/kit/fiats.ts'
import { isUrl } from '@coffer/contract/kit/validators.ts'
import { api } from '../../../api/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { ActionForm } from '../../../kit/form/ActionForm.tsx'
import type { FormFields } from '../../../kit/form/Fields.tsx'
import { useProof } from '../../../kit/proof/useProof.ts'
import { RadioGroup } from '../../../ui/controls/Choice.tsx'
import { shopPrograms, shopProtocolNames } from './programs.ts'
import type { NewShop } from './ShopCredentials.tsx'

interface Values {
  protocol: ShopProtocol
  currency: string
  notify_url: string
  callback_method: NonNullable<RouteBody<'POST /api/v1/user/shop'>['callback_method']>
}

/** Whether orders name no URL for callbacks. */
const hasWebhook = (protocol: ShopProtocol): protocol is 'btcpay' | 'coinbase' =>
  protocol === 'btcpay' || protocol === 'coinbase'

const initial: Values = { protocol: 'epay', currency: '', notify_url: '', callback_method: 'GET' }

/** The dialog that connects a shop to an application. */
export function ConnectShopDialog({
  appid,
  onClose,
  onDone,
}: {
  appid: string
  onClose(): void
  onDone(made: NewShop): void
}) {
  const t = useMessages('shops')
  const common = useMessages('common')
  return (
    <ActionForm<Values, NewShop>
      title={t.connect}
      text={t.connectText}
      verb={t.connect}
      size="medium"
      proof={useProof('application')}
      refreshes={['GET /api/v1/user/shop/list']}
      onClose={onClose}
      initial={initial}
      fields={({ protocol }) => fieldsOf(t, common, protocol)}
      call={async ({ protocol, currency, notify_url, callback_method }, proof) => {
        const body = {
          appid,
          protocol,
          ...(currency && { currency }),
          ...(hasWebhook(protocol) && { notify_url: notify_url.trim() }),
          ...(protocol === 'epay' && { callback_method }),
          ...proof,
        }
        return { protocol, ...(await api('POST /api/v1/user/shop', { body })) }
      }}
      onDone={onDone}
    />
  )
}

const fieldsOf = (
  t: Messages<'shops'>,
  { urlAddress }: Messages<'common'>,
  protocol: ShopProtocol,
): FormFields<Values> => [
  {
    name: 'protocol',
    draw: props => (
      <RadioGroup
        {...props}
        legend={t.protocol}
        options={shopProtocols.map(value => ({
          value,
          label: shopProtocolNames[value],
          hint: t.fits[value](joinList(shopPrograms[value].map(([name]) => name))),
        }))}
      />
    ),
  },
  hasWebhook(protocol) && {
    name: 'notify_url',
    label: t.webhookUrl,
    hint: t.webhookHints[protocol],
    type: 'url',
    ...(protocol === 'coinbase' ? { required: true } : { optional: true }),
    placeholder: 'https://',
    rule: text => text.trim() !== '' && !isUrl(text.trim()) && urlAddress,
  },
  {
    name: 'currency',
    kind: 'choice',
    label: t.currency,
    hint: t.currencyHint,
    placeholder: t.currencyUsual(defaultShopCurrencies[protocol]),
    options: ['USDT', ...fiats]
      .filter(code => code !== defaultShopCurrencies[protocol])
      .map(code => ({ value: code, label: code })),
  },
  protocol === 'epay' && {
    name: 'callback_method',
    draw: props => (
      <RadioGroup
        {...props}
        legend={t.method}
        options={[
          { value: 'GET', label: 'GET', hint: t.methodUsual },
          { value: 'POST', label: 'POST' },
        ]}
      />
    ),
  },
]
