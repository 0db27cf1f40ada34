import { isAmount } from '@coffer/contract/validators.ts'
import { useId } from 'react'
import { api, type Data } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Switch } from '../../ui/controls/Choice.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'

export type TokenSetting = Data<'GET /api/v1/account/withdraw-setting'>['list'][number]

/** Edits the settings of a token; saving asks for a proof. */
export default function TokenSettingModal({ setting, onClose }: { setting: TokenSetting; onClose(): void }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const id = useId()
  const { token_id, token, chain, gas_limit, minimum, automatic } = setting
  const proof = useProof('withdrawal-settings')
  const badAmount = (text: string) => text !== '' && !isAmount(text) && common.validaValue
  const form = useForm({ gas_limit, minimum, automatic }, { gas_limit: badAmount, minimum: badAmount })
  const { values, errors, set } = form
  const send = () =>
    proof.confirm(async confirmed => {
      await api('PUT /api/v1/account/withdraw-setting', { body: { token_id, ...values, ...confirmed } })
      void refresh('GET /api/v1/account/withdraw-setting', 'GET /api/v1/account/cost')
      showToast('success', t.tokenSaved)
      onClose()
    })
  return (
    <Modal
      open
      keep
      size="small"
      title={t.tokenSettings(token, chain)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {common.save}
          </Button>
        </>
      }
    >
      <form {...form.formProps(send)} id={id} className="flex flex-col gap-4">
        {(['gas_limit', 'minimum'] as const).map(name => (
          <Field
            key={name}
            label={`${name === 'minimum' ? t.minimum : t.gasLimit} (${token})`}
            hint={name === 'minimum' ? t.minimumHint : t.gasLimitHint}
            error={errors[name]}
          >
            {control => (
              <TextInput
                {...control}
                inputMode="decimal"
                autoComplete="off"
                maxLength={40}
                className="num"
                placeholder={name === 'minimum' ? t.defaultMinimum : t.noLimit}
                value={values[name]}
                onChange={text => set(name)(text.trim())}
              />
            )}
          </Field>
        ))}
        <Switch label={t.automatic} hint={t.automaticHint} checked={values.automatic} onChange={set('automatic')} />
        <ProofFields proof={proof} />
      </form>
    </Modal>
  )
}
