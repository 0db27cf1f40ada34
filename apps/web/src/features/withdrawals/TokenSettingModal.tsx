import { api, type RouteData } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { toRequestAmount } from '../../ui/controls/typedAmount.ts'

export type TokenSetting = RouteData<'GET /api/v1/account/withdraw-setting'>['list'][number]

/** Edits the settings of a token; saving asks for a proof. */
export default function TokenSettingModal({ setting, onClose }: { setting: TokenSetting; onClose(): void }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const { token_id, token, chain, gas_limit, minimum, automatic } = setting
  return (
    <ActionForm
      title={t.tokenSettings(token, chain)}
      verb={common.save}
      initial={{ gas_limit, minimum, automatic }}
      fields={[
        {
          name: 'gas_limit',
          kind: 'amount',
          label: t.inToken(t.gasLimit, token),
          hint: t.gasLimitHint,
          placeholder: t.noLimit,
        },
        {
          name: 'minimum',
          kind: 'amount',
          label: t.inToken(t.minimum, token),
          hint: t.minimumHint,
          placeholder: t.defaultMinimum,
        },
        { name: 'automatic', kind: 'switch', label: t.automatic, hint: t.automaticHint },
      ]}
      proof={useProof('withdrawal-settings')}
      call={({ automatic, ...amounts }, proof) => {
        const gas_limit = toRequestAmount(amounts.gas_limit)
        const minimum = toRequestAmount(amounts.minimum)
        return api('PUT /api/v1/account/withdraw-setting', {
          body: { token_id, gas_limit, minimum, automatic, ...proof },
        })
      }}
      refreshes={['GET /api/v1/account/withdraw-setting', 'GET /api/v1/account/cost']}
      done={t.tokenSaved}
      onClose={onClose}
    />
  )
}
