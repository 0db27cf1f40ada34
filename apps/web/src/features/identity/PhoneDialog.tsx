import { phoneCodePurpose } from '@coffer/contract/codes.ts'
import { isCode, isPhone } from '@coffer/contract/validators.ts'
import { sendPhoneCode } from '../../api/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { AreaCodeInput } from '../../ui/controls/AreaCodeInput.tsx'
import { CodeInput } from '../../ui/controls/CodeInput.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { SendCode } from '../../ui/controls/SendCode.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import type { DialogProps } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

/** Binds or replaces a phone with a code sent to it. */
export function PhoneDialog({ user, onClose }: DialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const proof = useProof('phone')
  const form = useForm(
    { area_code: '', phone: '', code: '' },
    {
      area_code: text => text === '' && common.selectAreaCode,
      phone: text => (text === '' || !isPhone(text)) && common.enter_phoneC,
      code: text => !isCode(text) && common.validaCode,
    },
  )
  const { values, errors, set } = form
  const { area_code, phone } = values
  const type = user.phone_verified ? phoneCodePurpose.updatePhone : phoneCodePurpose.bindPhone
  const send = () =>
    proof.confirm(async confirmed => {
      await api('PUT /api/v1/user/phone', { body: { ...values, ...confirmed } })
      await done(t.phoneDone, onClose)
    })
  return (
    <FormModal title={t.phoneTitle} verb={common.save} form={form} onSend={send} onClose={onClose}>
      <Field label={common.areaCode} error={errors.area_code} required>
        {control => (
          <AreaCodeInput {...control} placeholder={common.pleaseSelect} value={area_code} onChange={set('area_code')} />
        )}
      </Field>
      <Field label={common.phone} error={errors.phone} required>
        {control => (
          <TextInput
            {...control}
            type="tel"
            inputMode="numeric"
            maxLength={14}
            className="num"
            value={phone}
            onChange={text => set('phone')(text.replace(/\D/g, ''))}
          />
        )}
      </Field>
      <Field label={t.phoneCode} error={errors.code} required>
        {control => (
          <div className="flex gap-2">
            <CodeInput {...control} value={values.code} onChange={set('code')} />
            <SendCode
              disabled={area_code === '' || phone === '' || !isPhone(phone)}
              send={() => sendPhoneCode({ type, area_code, phone })}
            />
          </div>
        )}
      </Field>
      <ProofFields proof={proof} />
    </FormModal>
  )
}
