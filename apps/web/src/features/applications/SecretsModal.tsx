import { useMessages } from '../../i18n/messages.ts'
import { FirstPayment } from '../../kit/FirstPayment.tsx'
import { OutsideLink } from '../../ui/controls/Link.tsx'
import { Secret, ShownOnce } from './Secret.tsx'
import type { Secrets } from './SettingsDrawer.tsx'

/** The secrets of an application, shown once, and those of a new one with the next step. */
export default function SecretsModal({ secrets, onClose }: { secrets: Secrets; onClose(): void }) {
  const t = useMessages('applications')
  return (
    <ShownOnce
      title={t.secretsTitle}
      text={t.secretsText}
      stored={t.stored}
      onClose={onClose}
      secrets={
        <>
          <Secret name={t.appid} value={secrets.appid} />
          {secrets.secret_key && <Secret name={t.key} value={secrets.secret_key} use={t.secretKeyUse} />}
          {secrets.webhook_secret && (
            <Secret name={t.webhookSecret} value={secrets.webhook_secret} use={t.webhookSecretUse} />
          )}
        </>
      }
    >
      {secrets.secret_key && secrets.webhook_secret && (
        <section className="mt-5 border-t border-line pt-4">
          <h3 className="text-sm font-semibold">{t.nextTitle}</h3>
          <p className="mt-0.5 mb-2 text-[13px] text-ink-2">
            {t.nextText} <OutsideLink href="/docs">{t.nextDocs}</OutsideLink>
          </p>
          <FirstPayment label={t.nextCommand} secretKey={secrets.secret_key} />
        </section>
      )}
    </ShownOnce>
  )
}
