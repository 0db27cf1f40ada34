import { phoneCodePurpose } from '@coffer/contract/codes.ts'
import { isPhone, isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { sendPhoneCode } from '../../api/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { AreaCodeInput } from '../../ui/controls/AreaCodeInput.tsx'
import { type AccountDialogProps, refreshAccount } from './dialogs.ts'

/** Binds or replaces a phone with a code sent to it. */
export function PhoneDialog({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const type = user.phone_verified ? phoneCodePurpose.updatePhone : phoneCodePurpose.bindPhone
  return (
    <ActionForm
      title={t.phoneTitle}
      text={t.holds(user.hold_hours)}
      verb={common.save}
      size="medium"
      initial={{ area_code: '', phone: '', code: '' }}
      fields={({ area_code, phone }) => [
        {
          name: 'area_code',
          label: common.areaCode,
          required: true,
          rule: text => text === '' && common.selectAreaCode,
          control: props => <AreaCodeInput {...props} placeholder={common.pleaseSelect} />,
        },
        {
          name: 'phone',
          label: common.phone,
          required: true,
          type: 'tel',
          inputMode: 'numeric',
          maxLength: 14,
          className: 'num',
          clean: text => text.replace(/\D/g, ''),
          rule: text => (text === '' || !isPhone(text)) && common.enter_phoneC,
        },
        {
          name: 'code',
          kind: 'code',
          label: area_code && isPhone(phone) ? t.codeSentTo(`+${area_code}${phone}`) : t.phoneCode,
          required: true,
          rule: text => !isSixDigitCode(text) && common.validaCode,
          unready: area_code === '' || phone === '' || !isPhone(phone),
          to: `+${area_code}${phone}`,
          send: () => sendPhoneCode({ type, area_code, phone }),
        },
      ]}
      proof={{ ...useProof('phone'), named: t.codeSentTo }}
      call={async (values, confirmed) => {
        await api('PUT /api/v1/user/phone', { body: { ...values, ...confirmed } })
        await refreshAccount()
      }}
      done={t.phoneDone}
      onClose={onClose}
    />
  )
}
