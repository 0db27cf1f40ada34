import { useMessages } from '../../i18n/messages.ts'
import { MerchantPermissionRequest } from './FormPage.tsx'

/** The request form for merchant permission on a phone. */
export default function OpenForm() {
  const t = useMessages('onboarding')
  return (
    <>
      <h1 className="sr-only">{t.formTitle}</h1>
      <MerchantPermissionRequest />
    </>
  )
}
