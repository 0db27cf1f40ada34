import type { ShopProtocol } from '@coffer/contract/codes/shops.ts'
import type { RouteData } from '../../../api/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Field } from '../../../ui/controls/Field.tsx'
import { TextArea } from '../../../ui/controls/TextInput.tsx'
import { CopyButton } from '../../../ui/data/CopyText.tsx'
import { SecretValue, ShownOnceModal } from '../SecretValue.tsx'
import { ShopSettingsGuide } from './ShopSettingsGuide.tsx'

/** What a new key of a shop consists of, and for which protocol. */
export type NewShop = RouteData<'POST /api/v1/user/shop'> & { protocol: ShopProtocol }

/** Whether the shop enters the id; else the URL holds it, or the key suffices. */
export const hasShopIdField = (protocol: ShopProtocol) => !['epusdt', 'bepusdt', 'coinbase'].includes(protocol)

/** The values to enter in the shop, whose key is shown once, and where they go. */
export function ShopCredentials({ made, onClose }: { made: NewShop; onClose(): void }) {
  const t = useMessages('shops')
  const { protocol, private_key, platform_public_key } = made
  return (
    <ShownOnceModal
      title={t.valuesTitle}
      text={t.valuesText}
      stored={t.entered}
      onClose={onClose}
      secrets={
        <>
          <SecretValue name={t.url} value={made.url} {...(made.url.includes(made.id) && { use: t.urlHoldsId })} />
          {hasShopIdField(protocol) && <SecretValue name={t.ids[protocol]} value={made.id} />}
          <SecretValue name={t.keys[protocol]} value={made.key} use={t.keyOnce} />
        </>
      }
    >
      {private_key && (
        <details className="mt-5 border-t border-line pt-4">
          <summary className="w-fit rounded-sm text-sm font-semibold">{t.rsa}</summary>
          <p className="mt-1 mb-3 text-[13px] text-ink-2">{t.rsaText}</p>
          <div className="flex flex-col gap-4">
            <LongKey name={t.privateKey} value={private_key} use={t.keyOnce} />
            <LongKey name={t.publicKey} value={platform_public_key} />
          </div>
        </details>
      )}
      <section className="mt-5 border-t border-line pt-4">
        <h3 className="mb-2 text-sm font-semibold">{t.where}</h3>
        <ShopSettingsGuide whole protocol={protocol} given={made} />
      </section>
    </ShownOnceModal>
  )
}

/** A key of many lines, with its copy button above it. */
const LongKey = ({ name, value, use }: { name: string; value: string; use?: string }) => (
  <div className="relative">
    <Field label={name} hint={use}>
      {control => (
        <TextArea {...control} readOnly rows={3} value={value} onChange={() => {}} className="num text-xs break-all" />
      )}
    </Field>
    <span className="absolute -top-1.5 right-0">
      <CopyButton value={value} label={name} />
    </span>
  </div>
)
