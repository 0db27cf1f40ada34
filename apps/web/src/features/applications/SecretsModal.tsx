import { keyScopeLabels } from '@coffer/contract/labels/key-scopes.ts'
import { language } from '../../i18n/language.ts'
import { joinList } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { FirstPaymentSnippet } from '../../kit/FirstPaymentSnippet.tsx'
import { OutsideLink } from '../../ui/controls/Link.tsx'
import { SecretValue, ShownOnceModal } from './SecretValue.tsx'
import type { ApplicationSecrets } from './SettingsDrawer.tsx'

/** The secrets of an application, shown once, and those of a new one with the next step. */
export default function SecretsModal({ secrets, onClose }: { secrets: ApplicationSecrets; onClose(): void }) {
  const t = useMessages('applications')
  return (
    <ShownOnceModal
      title={t.secretsTitle}
      text={t.secretsText}
      stored={t.stored}
      onClose={onClose}
      secrets={
        <>
          <SecretValue name={t.appid} value={secrets.appid} />
          {secrets.secret_key && <SecretValue name={t.key} value={secrets.secret_key} use={t.secretKeyUse} />}
          {secrets.secret_key && (
            <div>
              <dt className="text-[13px] font-medium text-ink-2">{t.scopes}</dt>
              <dd className="mt-1 text-sm">
                {joinList(secrets.scopes.map(scope => keyScopeLabels[language.get()][scope])) || t.noScopes}
              </dd>
            </div>
          )}
          {secrets.webhook_secret && (
            <SecretValue name={t.webhookSecret} value={secrets.webhook_secret} use={t.webhookSecretUse} />
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
          <FirstPaymentSnippet label={t.nextCommand} secretKey={secrets.secret_key} />
        </section>
      )}
    </ShownOnceModal>
  )
}
